import type { ReactNode } from 'react'
import { consoleUrls } from '#src/console-urls'
import { preview } from '#src/story/rules'
import { pluralize } from '#src/text/pluralize'
import { clock } from '#src/ui/clock'
import { BarChart, MeterList } from '#src/ui/console/bar-chart'
import { Table } from '#src/ui/console/table'
import { Icon } from '#src/ui/icon'
import { urls } from '#src/urls'
import type { describeConversion, describeRetention, listSearches } from './insight'
import { type ExportedFigure, type Period, startDaysMax } from './rules'
import { steepestTenth, tenthsOf } from './tenths'

const partCharactersMax = 160
const searchesShown = 12

/** A figure, with a sentence about its meaning and a CSV download. */
function FigurePanel({
  title,
  words,
  csv,
  children,
}: {
  title: string
  words: ReactNode
  csv: { figure: ExportedFigure; days?: Period; item?: string }
  children: ReactNode
}) {
  return (
    <section className="panel section-next" aria-label={title}>
      <div className="panel-head">
        <h2>{title}</h2>
        <a className="btn btn-quiet btn-sm" href={consoleUrls.apiAnalyticsExport(csv)} download="">
          <Icon name="i-lucide-sm-download" />
          CSV<span className="visually-hidden"> of: {title}</span>
        </a>
      </div>
      <div className="stack-sm">
        <p className="meta">{words}</p>
        {children}
      </div>
    </section>
  )
}

/** Searches without a result: content that the library lacks. */
export function SearchesPanel({
  searches,
  days,
}: {
  searches: Awaited<ReturnType<typeof listSearches>>
  days: Period
}) {
  const missed = searches.filter(({ withoutResult }) => withoutResult > 0)
  const rows = missed
    .slice(0, searchesShown)
    .map(({ query, withoutResult }) => ({ name: query, count: withoutResult }))
  return (
    <FigurePanel
      title="Searches without a result"
      words="How often people searched for words that nothing in the library matches: what they would listen to or read if it were there."
      csv={{ figure: 'searches', days }}
    >
      {rows.length > 0 ? (
        <MeterList label="Searches without a result, by count" rows={rows} />
      ) : (
        <p>No search without a result in this period.</p>
      )}
    </FigurePanel>
  )
}

/** The conversion from free stories to accounts. */
export function ConversionPanel({
  conversion,
}: {
  conversion: Awaited<ReturnType<typeof describeConversion>>
}) {
  const { days, freeStoryLimit, atLimit, joined, joinedAtLimit } = conversion
  return (
    <FigurePanel
      title="From preview to account"
      words={`Visitors who used up their ${pluralize(freeStoryLimit, 'free story', 'free stories')} in the last ${days} days and saw a preview from then on, everybody who joined in that time, and those who joined after reading up to the limit: what the limit brings.`}
      csv={{ figure: 'conversion' }}
    >
      <MeterList
        label={`From preview to account in ${days} days`}
        rows={[
          { name: 'Reached the limit', count: atLimit },
          { name: 'Joined', count: joined },
          { name: 'Joined at the limit', count: joinedAtLimit },
        ]}
      />
    </FigurePanel>
  )
}

/** Where people stop in an item, beside the text that they hear or read there, and the pages on which they began. */
export function RetentionPanels({
  retention,
  text,
  days,
}: {
  retention: Awaited<ReturnType<typeof describeRetention>>
  /** The item's text. Null if it is a member's. */
  text: string | null
  days: Period
}) {
  const { contentId: item, contentTitle, curve, views, startPages } = retention
  return (
    <>
      <div className="split">
        <FigurePanel
          title={`Where people stop: ${contentTitle}`}
          words={retentionWords(retention)}
          csv={{ figure: 'retention', days, item }}
        >
          {views > 0 && (
            <BarChart
              label={`Views of ${contentTitle} that came to each moment`}
              bars={curve.map(({ second, count }) => ({ name: clock(second), count }))}
            />
          )}
        </FigurePanel>
        <FigurePanel
          title="Where listening begins"
          words={`The page on which Play was pressed in the last ${pluralize(Math.min(days, startDaysMax), 'day')}: where this item is found.`}
          csv={{ figure: 'starts', days, item }}
        >
          {startPages.length > 0 ? (
            <MeterList
              label="Starts by page"
              rows={startPages.map(({ page, starts }) => ({ name: page, count: starts }))}
            />
          ) : (
            <p>Nobody started listening to it in this period.</p>
          )}
        </FigurePanel>
      </div>
      {views > 0 && (
        <section className="panel panel-flush section-next">
          <PlacesTable curve={curve} parts={text === null ? null : tenthsOf(text)} />
        </section>
      )}
    </>
  )
}

/** A sentence about the figures: how many people came to the end, and where most of them stopped. */
function retentionWords({ curve, views, bounceRate }: Awaited<ReturnType<typeof describeRetention>>): string {
  if (views === 0) return 'Nobody has listened to it or read it in this period.'
  const ended = curve.at(-1)?.count ?? 0
  const tenth = steepestTenth(curve)
  const [from, until] = [curve[tenth ?? 0], curve[(tenth ?? 0) + 1]]
  const most =
    tenth === null || !from || !until
      ? 'Nobody stopped on the way.'
      : `The most people stopped between ${clock(from.second)} and ${clock(until.second)}.`
  return `Of ${pluralize(views, 'view')}, ${ended} came to the end and ${bounceRate} % left at once. ${most}`
}

function PlacesTable({
  curve,
  parts,
}: {
  curve: Awaited<ReturnType<typeof describeRetention>>['curve']
  parts: string[] | null
}) {
  const places = curve.slice(0, -1)
  return (
    <Table
      label="Where people stop, beside the text"
      columns={['From', 'Were there', 'Stopped here', ...(parts ? ['Text'] : [])]}
    >
      {places.map(({ percent, second, count }, at) => (
        <tr key={percent}>
          <th scope="row" className="num">
            {clock(second)}
          </th>
          <td data-label="Were there" className="num">
            {count.toLocaleString('en')}
          </td>
          <td data-label="Stopped here" className="num">
            {(count - (curve[at + 1]?.count ?? 0)).toLocaleString('en')}
          </td>
          {parts && (
            <td data-label="Text" dir="auto">
              {preview(parts[at] ?? '', partCharactersMax)}
            </td>
          )}
        </tr>
      ))}
    </Table>
  )
}

/** Shown until an item is chosen. */
export function ChooseItem({ items }: { items: readonly { id: string; title: string; href: string }[] }) {
  if (items.length === 0) return null
  return (
    <section className="panel section-next" aria-label="Where people stop">
      <div className="panel-head">
        <h2>Where people stop</h2>
      </div>
      <p className="meta">
        Choose an item to see where its listeners and readers stop, beside its text, and from which page they
        came. Others are opened from the <a href={urls.premiumContent()}>library</a>, when they are edited.
      </p>
      <ul className="chips chips-wrap">
        {items.map(({ id, title, href }) => (
          <li key={id}>
            <a className="chip" href={href}>
              {title}
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
