import { joinFacts } from '#src/text/join-facts'
import { pluralize } from '#src/text/pluralize'
import { BarChart, MeterList } from '#src/ui/console/bar-chart'
import { LineChart } from '#src/ui/console/line-chart'
import { Stat } from '#src/ui/console/stat'
import { Table } from '#src/ui/console/table'
import { Cover } from '#src/ui/cover'
import { Icon } from '#src/ui/icon'
import type { Behavior, ContentAnalytics, Realtime, Summary } from './schema'

/** The figures of a period. Browser-safe, like this whole file. */
export function SummaryCards({ summary }: { summary: Summary }) {
  const whole = (value: number) => value.toLocaleString('en')
  return (
    <dl className="stats stats-compact">
      <Stat icon="i-lucide-sm-users" label="Total users" value={whole(summary.totalUsers)} />
      <Stat icon="i-lucide-sm-user" label="Active users" value={whole(summary.activeUsers)} />
      <Stat icon="i-lucide-sm-rotate-ccw-clock" label="Sessions per user" value={summary.sessionsPerUser} />
      <Stat icon="i-lucide-sm-eye" label="Content views" value={whole(summary.totalContentViews)} />
      <Stat icon="i-lucide-sm-headphones" label="Audio plays" value={whole(summary.totalAudioPlays)} />
      <Stat icon="i-lucide-sm-book-open" label="Stories read" value={whole(summary.totalStoriesRead)} />
      <Stat icon="i-lucide-sm-clock" label="Average session" value={hours(summary.avgSessionDuration)} />
      <Stat
        icon="i-lucide-sm-circle-check"
        label="Completion"
        value={`${Math.round(summary.avgCompletionRate)} %`}
      />
      <Stat icon="i-lucide-sm-door-open" label="Sessions" value={whole(summary.totalSessions)} />
      <Stat icon="i-lucide-sm-audio-lines" label="Events" value={whole(summary.totalEvents)} />
    </dl>
  )
}

/** Seconds as h:mm:ss: 866 is "0:14:26". */
function hours(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  const pad = (value: number) => String(value).padStart(2, '0')
  return `${Math.floor(whole / 3_600)}:${pad(Math.floor(whole / 60) % 60)}:${pad(whole % 60)}`
}

export function BehaviorTab({ behavior }: { behavior: Behavior }) {
  const lengths = behavior.sessionDurations.map(({ range, count }) => ({ name: range, count }))
  return (
    <>
      <div className="split split-main">
        <section className="panel">
          <div className="panel-head">
            <h2>Daily active users</h2>
          </div>
          <LineChart label="Daily active users" points={behavior.dailyActiveUsers} />
        </section>
        <section className="panel">
          <div className="panel-head">
            <h2>Session length</h2>
          </div>
          <BarChart label="Sessions by length" bars={lengths} />
        </section>
      </div>
      <section className="panel section-next">
        <div className="panel-head">
          <h2>Top events</h2>
        </div>
        {behavior.topEvents.length === 0 ? (
          <p className="meta">Nothing has happened in this period.</p>
        ) : (
          <MeterList
            label="Top events by count"
            rows={behavior.topEvents.map(({ eventType, count }) => ({ name: eventType, count }))}
          />
        )}
      </section>
    </>
  )
}

/** The ten items with the most views. `onSave` exports them as CSV. */
export function ContentTab({
  content,
  onSave,
}: {
  content: readonly ContentAnalytics[]
  onSave?: () => void
}) {
  if (content.length === 0) return <p className="empty">Nothing was played or read in this period.</p>
  return (
    <section className="panel panel-flush">
      <div className="panel-head plan-head">
        <h2>Top 10 by views</h2>
        <button className="btn btn-quiet btn-sm" type="button" onClick={onSave}>
          <Icon name="i-lucide-sm-download" />
          CSV
        </button>
      </div>
      <Table
        label="Content performance"
        columns={[
          'Title',
          'Category',
          'Views',
          'Listeners',
          'Completions',
          'Stayed to',
          'Time',
          'Rating',
          'Favorites',
        ]}
      >
        {content.map((item) => (
          <tr key={item.contentId}>
            <th scope="row">
              <strong>{item.contentTitle}</strong>
            </th>
            <td data-label="Category">{item.category}</td>
            <td data-label="Views" className="num">
              {item.totalViews.toLocaleString('en')}
            </td>
            <td data-label="Listeners" className="num">
              {item.uniqueListeners.toLocaleString('en')}
            </td>
            <td data-label="Completions" className="num">
              {percent(item.totalCompletions, item.totalViews)} %
            </td>
            <td data-label="Stayed to">
              <StayedTo item={item} />
            </td>
            <td data-label="Time" className="num">
              {hours(item.avgEngagementTime)}
            </td>
            <td data-label="Rating" className="num">
              {item.rating > 0 ? item.rating.toFixed(1) : '–'}
            </td>
            <td data-label="Favorites" className="num">
              {item.favoritesCount.toLocaleString('en')}
            </td>
          </tr>
        ))}
      </Table>
    </section>
  )
}

/** Percentage of views that were completed, rounded. */
function percent(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((100 * part) / whole)
}

function StayedTo({ item }: { item: ContentAnalytics }) {
  const shares = [item.completed25, item.completed50, item.completed75, item.completed100].map((count) =>
    percent(count, item.totalViews),
  )
  return (
    <svg
      className="retention"
      viewBox="0 0 96 24"
      role="img"
      aria-label={`Reached 25, 50, 75 and 100 percent: ${shares.join(', ')} percent of the views`}
    >
      {[25, 50, 75, 100].map((milestone, at) => {
        const high = Math.min(24, (shares[at] ?? 0) * 0.24)
        return (
          <rect
            key={milestone}
            x={at * 25}
            y={24 - high}
            width={20}
            height={high}
            rx={2}
            fill="var(--chart-2)"
            opacity={1 - at * 0.12}
          />
        )
      })}
    </svg>
  )
}

/** The activity of the last two minutes, and the last eight events. */
export function RealtimeTab({ realtime, now }: { realtime: Realtime; now: number }) {
  return (
    <div className="split">
      <section className="panel">
        <div className="panel-head">
          <h2>Active now</h2>
          <span className="badge badge-good">
            <i className="live-dot" />
            {pluralize(realtime.currentActiveUsers, 'person', 'people')}
          </span>
        </div>
        {realtime.activeContent.length === 0 ? (
          <p className="meta">Nobody has played or read anything in the last two minutes.</p>
        ) : (
          <ul className="row-list">
            {realtime.activeContent.map(({ contentTitle, contentType, eventType, activeUsers }) => (
              <li className="row row-tight" key={contentTitle + eventType}>
                <Cover title={contentTitle} shape="40" />
                <div className="row-words">
                  <b>{contentTitle}</b>
                  <span className="meta">
                    {joinFacts(contentType, eventType.startsWith('audio') ? 'listening' : 'reading')}
                  </span>
                </div>
                <span className="num">{activeUsers}</span>
              </li>
            ))}
          </ul>
        )}
      </section>
      <section className="panel">
        <div className="panel-head">
          <h2>Recent events</h2>
        </div>
        {realtime.recentEvents.length === 0 ? (
          <p className="meta">Nothing yet.</p>
        ) : (
          <ul className="row-list">
            {realtime.recentEvents.map(({ eventType, contentTitle, timestamp }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two events may be alike in all they show
              <li className="setting" key={at}>
                <span>
                  <b className="label">{eventType}</b>
                  {contentTitle && <span className="hint">{contentTitle}</span>}
                </span>
                <span className="meta num">{agoWords((now - Date.parse(timestamp)) / 1_000)}</span>
              </li>
            ))}
          </ul>
        )}
      </section>
    </div>
  )
}

/** "8 s ago", "2 min ago", "3 h ago", "4 d ago" */
export function agoWords(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  if (whole < 60) return `${whole} s ago`
  if (whole < 3_600) return `${Math.floor(whole / 60)} min ago`
  return whole < 86_400 ? `${Math.floor(whole / 3_600)} h ago` : `${Math.floor(whole / 86_400)} d ago`
}
