import { apiCall } from '#islands/api-call'
import { deviceId } from '#islands/device-id'
import type { ProgressReport } from '#src/listening/schema'

const address = '/api/analytics/progress'
let lastSequence = 0

type Place = Pick<ProgressReport, 'contentId' | 'contentType' | 'lastPositionSec' | 'reason'> & {
  totalSec: number | null
  completed: boolean
}

/**
 * Reports where someone is in an item. Says false where it failed, with a warning; it never throws, since
 * nobody who listens should be disturbed by it.
 */
export async function reportProgress(place: Place): Promise<boolean> {
  try {
    await apiCall(address, { method: 'POST', body: toReport(place), keepalive: true })
    return true
  } catch (error) {
    warn(error)
    return false
  }
}

/** The same when the page goes: handed to the browser, which sends it whatever happens to the page. */
export function reportProgressLast(place: Place): void {
  const body = new Blob([JSON.stringify(toReport(place))], { type: 'application/json' })
  if (!navigator.sendBeacon(address, body)) warn('The browser took no beacon.')
}

function toReport({ reason, lastPositionSec, totalSec, ...place }: Place): ProgressReport {
  return {
    ...place,
    lastPositionSec: tenths(lastPositionSec),
    totalSec: totalSec === null ? null : tenths(totalSec),
    lastUpdatedAt: new Date().toISOString(),
    deviceId: deviceId(),
    sequence: nextSequence(),
    ...(reason && { reason }),
  }
}

/** Rising in this tab, and across tabs of this device: whoever moved last speaks last. */
function nextSequence(): number {
  lastSequence = Math.max(lastSequence + 1, Date.now())
  return lastSequence
}

const tenths = (seconds: number) => Math.round(seconds * 10) / 10

function warn(cause: unknown): void {
  console.warn('Progress tracking failed', cause)
}
