import { Pause, RefreshCw } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { ApiError } from '#islands/api-call'
import { FlagList } from '#islands/flag-queue'
import { operatorCall } from '#islands/operator-call'
import { saveFile } from '#islands/save-file'
import { BehaviorTab, ContentTab, RealtimeTab, SummaryCards } from '#src/analytics/dashboard'
import type { Behavior, ContentAnalytics, Realtime, Summary } from '#src/analytics/schema'
import { toCsv } from '#src/csv'
import { dashboardFlags } from '#src/moderation/rules'
import type { ContentFlag } from '#src/moderation/schema'
import { Button } from '#src/ui/button'
import { type Tab, Tabs } from '#src/ui/console/tabs'
import { Icon } from '#src/ui/icon'
import { Notice } from '#src/ui/notice'
import { urls } from '#src/urls'

/** operator.md §9 */
const refreshSeconds = 30
const realtimeSeconds = 10

export type Figures = {
  summary: Summary
  behavior: Behavior | null
  content: ContentAnalytics[] | null
  realtime: Realtime | null
  /** The newest reports that wait. */
  flags: ContentFlag[] | null
}
export type AnalyticsTab = 'behavior' | 'content' | 'realtime' | 'moderation'
export type AnalyticsDashboardProps = {
  tab: AnalyticsTab
  days: number
  category: string
  figures: Figures
  tabs: Tab[]
  /** When the figures were read, in milliseconds since 1970. */
  at: number
}

/**
 * The analytics, kept up to date: but not under the pointer. What came meanwhile waits behind a banner until the
 * pointer leaves, or it is asked for.
 */
export default function AnalyticsDashboard(props: AnalyticsDashboardProps) {
  const { tab, days, category, tabs } = props
  const [shown, setShown] = useState({ figures: props.figures, at: props.at })
  const [waiting, setWaiting] = useState<typeof shown | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const isUnderPointer = useRef(false)

  // biome-ignore lint/correctness/useExhaustiveDependencies: another period or tab is another page
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
  }, [])

  const showWaiting = () => {
    if (waiting) setShown(waiting)
    setWaiting(null)
  }
  /** What was read before a decision is out of date, and another report moves up. */
  const onDecided = async (flags: ContentFlag[]) => {
    setWaiting(null)
    setShown((last) => ({ ...last, figures: { ...last.figures, flags } }))
    try {
      setShown({ figures: await readFigures(tab, days, category), at: Date.now() })
    } catch (error) {
      setFailure(error instanceof ApiError ? error.message : String(error))
    }
  }
  const { summary, behavior, content, realtime, flags } = shown.figures
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
        <Notice
          icon={Pause}
          action={
            <Button size="sm" onClick={showWaiting}>
              <Icon of={RefreshCw} size="sm" />
              Show it
            </Button>
          }
        >
          Updates paused - New data available
        </Notice>
      )}
      {failure && <Unavailable message={failure} />}
      <SummaryCards summary={summary} />
      <section className="section section-tight">
        <Tabs label="Views" tabs={tabs} />
        {behavior && <BehaviorTab behavior={behavior} />}
        {content && <ContentTab content={content} onSave={() => saveContent(content, days)} />}
        {realtime && <RealtimeTab realtime={realtime} now={shown.at} />}
        {flags && (
          <div className="stack">
            <FlagList flags={flags} state="pending" count={null} at={shown.at} onChange={onDecided} />
            <p className="more">
              <a className="btn btn-quiet" href={urls.moderation()}>
                All reports
              </a>
            </p>
          </div>
        )}
      </section>
    </div>
  )
}

function Unavailable({ message }: { message: string }) {
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

async function readFigures(tab: AnalyticsTab, days: number, category: string): Promise<Figures> {
  const query = { days, category }
  const [summary, view] = await Promise.all([
    operatorCall(urls.apiAnalytics('summary', query)),
    operatorCall(
      tab === 'moderation'
        ? urls.apiContentFlags({ limit: dashboardFlags })
        : urls.apiAnalytics(tab, tab === 'realtime' ? {} : query),
    ),
  ])
  return {
    summary: summary as Summary,
    behavior: tab === 'behavior' ? (view as Behavior) : null,
    content: tab === 'content' ? (view as ContentAnalytics[]) : null,
    realtime: tab === 'realtime' ? (view as Realtime) : null,
    flags: tab === 'moderation' ? (view as ContentFlag[]) : null,
  }
}

function saveContent(content: readonly ContentAnalytics[], days: number): void {
  const [first] = content
  if (!first) return
  const columns = Object.keys(first) as (keyof ContentAnalytics)[]
  const rows = content.map((item) => columns.map((column) => item[column]))
  saveFile(`content-performance-${days}-days.csv`, 'text/csv', toCsv([columns, ...rows]))
}
