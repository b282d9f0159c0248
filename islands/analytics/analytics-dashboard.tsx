import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { ReportList } from '#islands/moderation/report-queue'
import { ApiError } from '#islands/runtime/api-error'
import { operatorApi } from '#islands/runtime/operator-api'
import { saveCsv } from '#islands/runtime/save-csv'
import { AppearingNotice } from '#islands/site/appearing-notice'
import { BehaviorTab, ContentTab, RealtimeTab, SummaryCards } from '#src/analytics/dashboard'
import type { Behavior, CategoryFilter, ContentAnalytics, Realtime, Summary } from '#src/analytics/schema'
import { consoleUrls } from '#src/console-urls'
import { dashboardReports } from '#src/moderation/rules'
import type { ContentFlag } from '#src/moderation/schema'
import { Button } from '#src/ui/button'
import { type Tab, Tabs } from '#src/ui/console/tabs'
import { Icon } from '#src/ui/icon'
import { More } from '#src/ui/more'
import { Notice } from '#src/ui/notice'

/** How often the figures are refreshed, and the live ones. */
const refreshSeconds = 30
const realtimeSeconds = 10

export type Figures = {
  summary: Summary
  behavior: Behavior | null
  content: ContentAnalytics[] | null
  realtime: Realtime | null
  /** The newest pending reports. */
  reports: ContentFlag[] | null
}
export type AnalyticsTab = 'behavior' | 'content' | 'realtime' | 'moderation'
export type AnalyticsDashboardProps = {
  tab: AnalyticsTab
  days: number
  category: CategoryFilter
  figures: Figures
  tabs: Tab[]
  /** When the figures were read, in milliseconds since 1970. */
  at: number
}

/**
 * The analytics page. It refreshes itself, but not under the pointer: newer figures wait behind a banner until the
 * pointer leaves or the operator asks for them.
 */
export default function AnalyticsDashboard(props: AnalyticsDashboardProps) {
  const { tab, days, tabs } = props
  const [shown, setShown] = useState({ figures: props.figures, at: props.at })
  const [waiting, setWaiting] = useState<typeof shown | null>(null)
  const isUnderPointer = useRef(false)
  const { read, readAgain, failure } = useFigures(props)

  const refresh = useEffectEvent(async () => {
    const next = document.visibilityState !== 'hidden' && (await read())
    if (!next) return
    if (isUnderPointer.current) setWaiting(next)
    else setShown(next)
  })
  useEffect(() => {
    const timer = setInterval(refresh, (tab === 'realtime' ? realtimeSeconds : refreshSeconds) * 1_000)
    return () => clearInterval(timer)
  }, [tab])

  const showWaiting = () => {
    if (waiting) setShown(waiting)
    setWaiting(null)
  }
  /** Reloads the figures after a decision: the shown ones are outdated, and another report moves up. */
  const onDecided = async (reports: ContentFlag[]) => {
    setWaiting(null)
    setShown((last) => ({ ...last, figures: { ...last.figures, reports } }))
    const next = await readAgain()
    if (next) setShown(next)
  }
  const { summary, behavior, content, realtime, reports } = shown.figures
  return (
    <div
      className="stack"
      onPointerEnter={() => {
        isUnderPointer.current = true
      }}
      onPointerLeave={() => {
        isUnderPointer.current = false
        showWaiting()
      }}
    >
      {waiting && (
        <AppearingNotice
          icon="i-lucide-pause"
          action={
            <Button size="sm" onClick={showWaiting}>
              <Icon name="i-lucide-sm-refresh-cw" />
              Show it
            </Button>
          }
          words="Updates paused - New data available"
        />
      )}
      {failure && <Unavailable message={failure} />}
      <SummaryCards summary={summary} />
      <section className="section section-tight">
        <Tabs label="Views" tabs={tabs} />
        {behavior && <BehaviorTab behavior={behavior} />}
        {content && <ContentTab content={content} onSave={() => saveContent(content, days)} />}
        {realtime && <RealtimeTab realtime={realtime} now={shown.at} />}
        {reports && (
          <div className="stack">
            <ReportList reports={reports} state="pending" count={null} at={shown.at} onChange={onDecided} />
            <More href={consoleUrls.moderation()}>All reports</More>
          </div>
        )}
      </section>
    </div>
  )
}

export function Unavailable({ message }: { message: string }) {
  return (
    <Notice kind="bad">
      <b>Analytics Service Unavailable</b>
      <br />
      Unable to load analytics data. Please check your API connection.
      <br />
      <span className="meta">{message}</span>
    </Notice>
  )
}

/**
 * Reads the figures. A reading returns null if it fails (`failure` says why), or if one that began later has ended before
 * it. After `readAgain` nothing counts that began before: an answer from before a decision must not replace its own.
 */
function useFigures({ tab, days, category }: AnalyticsDashboardProps) {
  const [failure, setFailure] = useState<string | null>(null)
  const begun = useRef(0)
  /** The number of the earliest reading that still counts. */
  const counted = useRef(0)

  async function read(): Promise<{ figures: Figures; at: number } | null> {
    begun.current += 1
    const mine = begun.current
    const result = await readFigures(tab, days, category).catch((error: unknown) => ({ error }))
    if (mine < counted.current) return null
    counted.current = mine
    const isFailure = 'error' in result
    setFailure(isFailure ? wordsOf(result.error) : null)
    return isFailure ? null : { figures: result, at: Date.now() }
  }
  const readAgain = () => {
    counted.current = begun.current + 1
    return read()
  }
  return { read, readAgain, failure }
}

const wordsOf = (error: unknown) => (error instanceof ApiError ? error.message : String(error))

async function readFigures(tab: AnalyticsTab, days: number, category: CategoryFilter): Promise<Figures> {
  const query = { days, category }
  const [summary, behavior, content, realtime, reports] = await Promise.all([
    operatorApi('GET /api/analytics/summary', { query }),
    tab === 'behavior' ? operatorApi('GET /api/analytics/behavior', { query }) : null,
    tab === 'content' ? operatorApi('GET /api/analytics/content', { query }) : null,
    tab === 'realtime' ? operatorApi('GET /api/analytics/realtime') : null,
    tab === 'moderation'
      ? operatorApi('GET /api/content-flags', { query: { limit: dashboardReports } })
      : null,
  ])
  return { summary, behavior, content, realtime, reports }
}

function saveContent(content: readonly ContentAnalytics[], days: number): void {
  const [first] = content
  if (!first) return
  const rows = content.map((item) => Object.values(item))
  void saveCsv(`content-performance-${days}-days.csv`, [Object.keys(first), ...rows])
}
