import { forgetReport, readReports, storeReport } from '#islands/listening/pending-reports'
import { api } from '#islands/runtime/api'
import { ApiError } from '#islands/runtime/api-error'
import { readStored, writeStored } from '#islands/runtime/browser-storage'
import { deviceId } from '#islands/runtime/device-id'
import { pageOwner } from '#islands/runtime/page-owner'
import { isWorthRetrying, pauseAfter } from '#islands/runtime/retry'
import { inServerTime, readServerClock } from '#islands/runtime/server-clock'
import type { Progress, ProgressReport } from '#src/listening/schema'

type Position = Pick<
  ProgressReport,
  'contentId' | 'contentType' | 'lastPositionSec' | 'reason' | 'basedOn'
> & {
  totalSec: number | null
  completed: boolean
}

/**
 * Reports the position in an item, and returns the position that the server has stored. On failure it logs a warning
 * and returns null; it never throws, because playback continues. An undelivered report is stored and sent later.
 */
export async function reportProgress(place: Position): Promise<Progress | null> {
  const progress = await send(toReport(place))
  if (progress) void sendStoredReports()
  return progress
}

/** Reports the position when the page closes. The report is stored first, because the page may not see the response. */
export function reportProgressLast(place: Position): void {
  const report = toReport(place)
  storeReport(report)
  void send(report)
}

/** Sends the stored reports. One tab does it for all. The server accepts each sequence number once. */
export async function sendStoredReports(): Promise<void> {
  const owner = pageOwner()
  if (readReports(owner).length === 0) return
  const sendAll = async () => {
    for (const report of readReports(owner)) {
      if (!(await send(report))) return
    }
  }
  if (!('locks' in navigator)) return sendAll()
  await navigator.locks.request('nocturne.reports', { ifAvailable: true }, (lock) => lock && sendAll())
}

/** Seconds after which an open page sends its stored reports again. The last value repeats. */
const retrySeconds = [5, 15, 30, 60]
let failures = 0
let retrying: Timer | undefined

function retryLater(): void {
  if (retrying) return
  retrying = setTimeout(() => {
    retrying = undefined
    void sendStoredReports()
  }, pauseAfter(retrySeconds, failures++) * 1000)
}

async function send(report: ProgressReport): Promise<Progress | null> {
  const { lastUpdatedAt = new Date().toISOString() } = report
  try {
    const body = { ...report, lastUpdatedAt: inServerTime(lastUpdatedAt) }
    const { progress } = await api('POST /api/analytics/progress', {
      body,
      keepalive: true,
      onResponse(response) {
        failures = 0
        readServerClock(response)
        forgetReport(report)
      },
    })
    return progress
  } catch (error) {
    console.warn('Progress tracking failed', error)
    if (mayArriveLater(error)) {
      storeReport(report)
      retryLater()
    } else forgetReport(report)
    return null
  }
}

/**
 * Whether a report may be accepted later. 409 means that another member is signed in by now; the report waits for its
 * own.
 */
function mayArriveLater(error: unknown): boolean {
  return !(error instanceof ApiError) || isWorthRetrying(error.status) || error.status === 409
}

function toReport({ reason, lastPositionSec, totalSec, ...place }: Position): ProgressReport {
  const owner = pageOwner()
  return {
    ...place,
    lastPositionSec: tenths(lastPositionSec),
    totalSec: totalSec === null ? null : tenths(totalSec),
    lastUpdatedAt: new Date().toISOString(),
    deviceId: deviceId(),
    sequence: nextSequence(),
    ...(reason && { reason }),
    ...(owner && { owner }),
  }
}

const sequenceName = 'nocturne.sequence'
let lastSequence = 0

/**
 * Returns a sequence number that increases within this browser, across tabs and reloads: the latest report wins. It
 * must not decrease when the clock is set back, or all reports would be rejected until the clock has caught up.
 */
function nextSequence(): number {
  const last = Number(readStored('localStorage', sequenceName)) || 0
  lastSequence = Math.max(lastSequence + 1, last + 1, Date.now())
  writeStored('localStorage', sequenceName, String(lastSequence))
  return lastSequence
}

const tenths = (seconds: number) => Math.round(seconds * 10) / 10
