import * as t from 'typebox'
import type { Executor } from '#db/db'
import { fromReplica } from '#db/from-replica'
import AnalyticsDashboard, { type AnalyticsTab, Unavailable } from '#islands/analytics/analytics-dashboard'
import { findFreeStoryLimit } from '#src/feature-flag/flags'
import { wholeNumber } from '#src/http/query'
import { findLibraryItem } from '#src/library/queries'
import { listReports } from '#src/moderation/reports'
import { dashboardReports } from '#src/moderation/rules'
import { streamConsolePage } from '#src/operator/console-page'
import type { RequestContext } from '#src/request/context'
import { renderPage } from '#src/request/render'
import { router } from '#src/request/router'
import type { Services } from '#src/services'
import { oneOf } from '#src/shape/one-of'
import { ChoicesForm } from '#src/ui/choices-form'
import type { Tab } from '#src/ui/console/tabs'
import { Island } from '#src/ui/island'
import { PlainSelect } from '#src/ui/select'
import { urls } from '#src/urls'
import { refreshRollups } from './fresh'
import { describeConversion, describeRetention, listSearches, requireMeasured } from './insight'
import { ChooseItem, ConversionPanel, RetentionPanels, SearchesPanel } from './insight-panels'
import { noFigures } from './no-figures'
import { describeBehavior, describeRealtime, listContentAnalytics, type Span, summarise } from './queries'
import { type Period, periodDefault, periods } from './rules'
import type { ContentAnalytics } from './schema'

const tabNames: Record<AnalyticsTab, string> = {
  behavior: 'User Behavior',
  content: 'Content Performance',
  realtime: 'Real-Time',
  moderation: 'Content Moderation',
}
const tabs = ['behavior', 'content', 'realtime', 'moderation'] as const
const periodNames: Record<Period, string> = {
  1: 'Today',
  7: '7 days',
  30: '30 days',
  90: '90 days',
  365: 'Last year',
}
/** The categories that the dashboard filters by. */
const shownCategories = ['all', 'romantic', 'bdsm', 'lesbian', 'gay'] as const

type Asked = Span & { tab: AnalyticsTab; item: string | undefined }

/** /analytics: what is used, by whom, and how far. */
export function analyticsConsole(services: Services) {
  return router().get(
    '/analytics',
    async ({ context, query, caller }) => {
      if (!caller.operator) return accessRequired(context)
      const days = periods.find((each) => each === query.days) ?? periodDefault
      const { tab = 'behavior', category = 'all' } = query
      const asked = { tab, days, category, item: query.item }
      // Checked by its key before the frame is sent, after which the status can no longer change.
      if (tab === 'content' && query.item) await requireMeasured(services.db, query.item)
      const props = { tab, days, category, tabs: tabLinks(asked) }
      return streamConsolePage(
        context,
        {
          title: 'Analytics Dashboard',
          tab: tabNames[tab],
          room: 'Analytics',
          section: 'analytics',
          actions: <Filters tab={tab} days={days} category={category} />,
        },
        {
          frame: <AnalyticsDashboard {...props} figures={noFigures(tab)} at={0} />,
          read: async () => {
            const figures = await readFigures(services, tab, asked)
            return (
              <>
                <Island
                  name="analytics-dashboard"
                  of={AnalyticsDashboard}
                  props={{ ...props, figures, at: Date.now() }}
                />
                {await insight(services, asked, figures.content)}
              </>
            )
          },
          orElse: (message) => <Unavailable message={message} />,
        },
      )
    },
    {
      query: t.Object({
        tab: t.Optional(oneOf(tabs)),
        days: t.Optional(wholeNumber('days', 1, 365)),
        category: t.Optional(oneOf(shownCategories)),
        item: t.Optional(t.String({ maxLength: 64 })),
      }),
      detail: { hide: true },
    },
  )
}

function tabLinks({ tab, days, category }: Asked): Tab[] {
  return tabs.map((each) => ({
    label: tabNames[each],
    href: urls.analytics({ tab: each, days, category }),
    isCurrent: each === tab,
  }))
}

/** The panels below the figures of a tab. */
async function insight(
  services: Services,
  { tab, days, category, item }: Asked,
  content: ContentAnalytics[] | null,
) {
  if (tab === 'behavior') return behaviorInsight(services, days)
  return (
    <>
      {content && <ChooseItem items={itemLinks(content, { days, category })} />}
      {tab === 'content' && item && (await itemInsight(services, item, days))}
    </>
  )
}

/** Searches without a result, and the conversion by the free stories. */
async function behaviorInsight(services: Services, days: Period) {
  const limit = await findFreeStoryLimit(services)
  return fromReplica(services.db, 'dashboards', async (from) => (
    <>
      <SearchesPanel searches={await listSearches(from, days)} days={days} />
      <ConversionPanel conversion={await describeConversion(from, limit)} />
    </>
  ))
}

/** Where people stop in an item. Its text is shown if it belongs to the library. */
async function itemInsight({ db }: Services, id: string, days: Period) {
  const [retention, item] = await Promise.all([
    fromReplica(db, 'dashboards', (from) => describeRetention(from, id, days)),
    findLibraryItem(db, id),
  ])
  return <RetentionPanels retention={retention} text={item?.content ?? null} days={days} />
}

function itemLinks(content: readonly ContentAnalytics[], { days, category }: Span) {
  return content.map(({ contentId, contentTitle }) => ({
    id: contentId,
    title: contentTitle,
    href: urls.analytics({ tab: 'content', days, category, item: contentId }),
  }))
}

async function readFigures({ db }: Services, tab: AnalyticsTab, span: Span) {
  await refreshRollups(db)
  const read = <T,>(figures: (from: Executor) => Promise<T>) => fromReplica(db, 'dashboards', figures)
  const [summary, behavior, content, realtime, reports] = await Promise.all([
    read((from) => summarise(from, span)),
    tab === 'behavior' ? read((from) => describeBehavior(from, span)) : null,
    tab === 'content' ? read((from) => listContentAnalytics(from, span)) : null,
    tab === 'realtime' ? read(describeRealtime) : null,
    tab === 'moderation' ? listReports(db, { limit: dashboardReports }) : null,
  ])
  return { summary, behavior, content, realtime, reports: reports?.reports ?? null }
}

function Filters({ tab, days, category }: { tab: AnalyticsTab; days: Period; category: string }) {
  return (
    <div className="btn-row">
      <nav className="segment segment-wide" aria-label="Period" data-keep="">
        {periods.map((each) => (
          <a
            key={each}
            href={urls.analytics({ tab, days: each, category })}
            aria-current={each === days || undefined}
          >
            {periodNames[each]}
          </a>
        ))}
      </nav>
      <ChoicesForm action={urls.analytics()}>
        <input type="hidden" name="tab" value={tab} />
        <input type="hidden" name="days" value={days} />
        <PlainSelect
          label="Category"
          name="category"
          defaultValue={category}
          choices={shownCategories.map((value) => ({ value, label: value }))}
        />
      </ChoicesForm>
    </div>
  )
}

async function accessRequired(context: RequestContext): Promise<Response> {
  return renderPage(context, {
    frame: 'console',
    meta: { title: 'Admin Access Required', isIndexed: false },
    body: (
      <div className="empty">
        <h1 className="title-lg">Admin Access Required</h1>
        <p className="lead">These figures are for operators.</p>
        <a className="btn btn-primary" href={urls.admin()}>
          Go to Admin
        </a>
      </div>
    ),
  })
}
