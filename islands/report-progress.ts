import { ApiError, apiFetch } from '#islands/api-call'
import { keepStored, readStored } from '#islands/browser-storage'
import { deviceId } from '#islands/device-id'
import { forgetReport, keepReport, pageOwner, readReports } from '#islands/kept-reports'
import { inServerTime, readServerClock } from '#islands/server-clock'
import type { ProgressReport } from '#src/listening/schema'
import { urls } from '#src/urls'

type Place = Pick<ProgressReport, 'contentId' | 'contentType' | 'lastPositionSec' | 'reason'> & {
  totalSec: number | null
  completed: boolean
}

/**
 * Reports where someone is in an item. Says false where it failed, with a warning; it never throws, since
 * nobody who listens should be disturbed by it. What does not arrive is kept, and sent once that is possible.
 */
export async function reportProgress(place: Place): Promise<boolean> {
  const report = toReport(place)
  if (!(await send(report))) return false
  void sendKeptReports()
  return true
}

/** The same when the page goes: kept first, since nobody may be left to see whether it arrived. */
export function reportProgressLast(place: Place): void {
  const report = toReport(place)
  keepReport(report)
  void send(report)
}

/** Sends what could not be sent before; one tab does it for all. The server takes each number once. */
export async function sendKeptReports(): Promise<void> {
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

async function send(report: ProgressReport): Promise<boolean> {
  const { lastUpdatedAt = new Date().toISOString() } = report
  try {
    const body = { ...report, lastUpdatedAt: inServerTime(lastUpdatedAt) }
    readServerClock(await apiFetch(urls.apiProgress(), { method: 'POST', body, keepalive: true }))
    forgetReport(report)
    return true
  } catch (error) {
    console.warn('Progress tracking failed', error)
    if (mayArriveLater(error)) keepReport(report)
    else forgetReport(report)
    return false
  }
}

/** 409: someone else is signed in by now. It waits for its listener. */
function mayArriveLater(error: unknown): boolean {
  return !(error instanceof ApiError) || error.status >= 500 || error.status === 429 || error.status === 409
}

function toReport({ reason, lastPositionSec, totalSec, ...place }: Place): ProgressReport {
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
 * Rising in this browser, across its tabs and their lives: whoever moved last speaks last. A clock that is set
 * back must not make it fall, or nothing would be believed until the clock has caught up.
 */
function nextSequence(): number {
  const kept = Number(readStored('localStorage', sequenceName)) || 0
  lastSequence = Math.max(lastSequence + 1, kept + 1, Date.now())
  keepStored('localStorage', sequenceName, String(lastSequence))
  return lastSequence
}

const tenths = (seconds: number) => Math.round(seconds * 10) / 10
