import { useEffect, useRef, useState } from 'react'
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
  const { tab, days, category, tabs } = props
  const [shown, setShown] = useState({ figures: props.figures, at: props.at })
  const [waiting, setWaiting] = useState<typeof shown | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const isUnderPointer = useRef(false)

  useEffect(() => {
    const refresh = async () => {
      if (document.visibilityState === 'hidden') return
      try {
        const next = { figures: await readFigures(tab, days, category), at: Date.now() }
        setFailure(null)
        if (isUnderPointer.current) setWaiting(next)
        else setShown(next)
      } catch (error) {
        setFailure(error instanceof ApiError ? error.message : String(error))
      }
    }
    const timer = setInterval(refresh, (tab === 'realtime' ? realtimeSeconds : refreshSeconds) * 1_000)
    return () => clearInterval(timer)
  }, [tab, days, category])

  const showWaiting = () => {
    if (waiting) setShown(waiting)
    setWaiting(null)
  }
  /** Reloads the figures after a decision: the shown ones are outdated, and another report moves up. */
  const onDecided = async (reports: ContentFlag[]) => {
    setWaiting(null)
    setShown((last) => ({ ...last, figures: { ...last.figures, reports } }))
    try {
      setShown({ figures: await readFigures(tab, days, category), at: Date.now() })
    } catch (error) {
      setFailure(error instanceof ApiError ? error.message : String(error))
    }
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
