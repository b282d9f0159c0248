import { expect, test } from 'bun:test'
import { memberBrowser, publishTestItem, testApp } from '#src/testing/app'
import { fc, seed } from '#src/testing/properties'
import { findProgressWithPlaces } from './queries'
import { saveProgress } from './save-progress'
import type { ProgressReport } from './schema'

/**
 * Two devices of one member play, seek, pause, close, lose the network and reconnect. Their reports arrive late, twice,
 * in any order. In every case playback resumes at the last position heard.
 */
const { app, services } = await testApp()
const story = await publishTestItem(services)
const member = await memberBrowser(app, 'mara@example.com')
const { id: userId } = member
const totalSec = 764
const startedAt = Date.parse('2026-11-01T20:00:00Z')

/** One action of a device, and how its report is delivered. */
type Step = {
  device: 'phone' | 'laptop'
  act: 'listen' | 'seek' | 'pause' | 'close' | 'open' | 'blind'
  seconds: number
  /**
   * How many steps later the report arrives: 0 at once, otherwise after the reports of other steps (offline, a late
   * beacon).
   */
  delay: number
  isTwice: boolean
}

const step: fc.Arbitrary<Step> = fc.record({
  device: fc.constantFrom('phone', 'laptop'),
  act: fc.constantFrom('listen', 'listen', 'listen', 'seek', 'pause', 'close', 'open', 'blind'),
  seconds: fc.integer({ min: 0, max: totalSec }),
  delay: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 40 })),
  isTwice: fc.boolean(),
})

type Sent = { report: ProgressReport; isReal: boolean; at: number }

/** The report that a browser sends for each step: its number increases, and its time is that of the step. */
function reportsOf(steps: readonly Step[], contentId: string): Sent[] {
  const heard = { phone: 0, laptop: 0 }
  return steps.map(({ device, act, seconds }, at) => {
    const isBlind = act === 'open' || act === 'blind'
    if (act === 'listen') heard[device] = Math.min(totalSec, Math.max(1, heard[device] + (seconds % 60)))
    else if (act !== 'open' && act !== 'blind') heard[device] = act === 'seek' ? seconds : heard[device]
    const lastPositionSec = act === 'open' ? 0 : act === 'blind' ? seconds : heard[device]
    const reason = { listen: undefined, open: undefined, blind: 'play' as const }
    return {
      isReal: !isBlind && (act === 'seek' || lastPositionSec >= 1),
      at,
      report: {
        contentId,
        contentType: 'story',
        lastPositionSec,
        totalSec,
        deviceId: device,
        sequence: startedAt + at * 1_000,
        lastUpdatedAt: new Date(startedAt + at * 60_000).toISOString(),
        ...(act === 'open' || act === 'blind' || act === 'listen' ? pick(reason[act]) : { reason: act }),
      },
    }
  })
}

const pick = (reason: ProgressReport['reason']) => (reason ? { reason } : {})

/** The reports in the order of arrival. */
function arrivals(steps: readonly Step[], sent: readonly Sent[]): Sent[] {
  return steps
    .flatMap(({ delay, isTwice }, at) => {
      const each = sent[at]
      if (!each) return []
      const first = { each, due: at + delay, tie: at }
      return isTwice ? [first, { each, due: at + delay + 7, tie: at }] : [first]
    })
    .sort((a, b) => a.due - b.due || a.tie - b.tie)
    .map(({ each }) => each)
}

function expectNothingLost(
  arrived: readonly Sent[],
  expected: number,
  places: readonly { deviceId: string; positionSec: number }[],
): void {
  const lastOf = (list: readonly Sent[]) => list.reduce((a, b) => (b.at > a.at ? b : a))
  const real = arrived.filter(({ isReal }) => isReal)
  if (real.length > 0) {
    const last = lastOf(real)
    const isMovedOn = arrived.some(
      ({ isReal, at, report }) => !isReal && at > last.at && report.lastPositionSec === expected,
    )
    if (expected !== last.report.lastPositionSec) {
      expect(isMovedOn).toBe(true)
      expect(expected).toBeGreaterThan(last.report.lastPositionSec)
    }
  }
  for (const { deviceId, positionSec } of places) {
    const own = real.filter(({ report }) => report.deviceId === deviceId)
    if (own.length > 0) expect(positionSec).toBeGreaterThanOrEqual(lastOf(own).report.lastPositionSec)
  }
}

/** Four evenings run concurrently, since database round trips take most of the time. */
const seeds = [0, 1, 2, 3].map((at) => seed + at)

test('10,000 plays, seeks, pauses and late writes from two devices lose no position', async () => {
  let writes = 0
  const evening = fc.asyncProperty(
    fc.array(step, { minLength: 30, maxLength: 60, size: 'max' }),
    async (steps) => {
      const listener = { anonId: crypto.randomUUID(), userId: null }
      const arrived = arrivals(steps, reportsOf(steps, story.id))
      for (const { report } of arrived) {
        await saveProgress(services.db, listener, report)
        writes += 1
      }
      const after = await findProgressWithPlaces(services.db, listener, story.id, 'story')
      expectNothingLost(arrived, after?.lastPositionSec ?? -1, after?.places ?? [])
    },
  )
  await Promise.all(seeds.map((each) => fc.assert(evening, { numRuns: 40, seed: each })))
  expect(writes).toBeGreaterThan(10_000)
}, 300_000)

/**
 * An action of a device that states the version it has read. It may have read it before, and its report may arrive long
 * after.
 */
type Knowing = {
  device: 'phone' | 'laptop'
  act: 'look' | 'listen' | 'seek' | 'pause'
  seconds: number
  delay: number
}

const knowing: fc.Arbitrary<Knowing> = fc.record({
  device: fc.constantFrom('phone', 'laptop'),
  act: fc.constantFrom('look', 'listen', 'listen', 'seek', 'pause'),
  seconds: fc.integer({ min: 1, max: totalSec }),
  delay: fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 12 })),
})

/**
 * Runs one evening of such devices. Counts the writes that moved a position away from listening on another device that
 * the writer had not read, and the rejected writes of those that had read it.
 */
async function liveThrough(steps: readonly Knowing[]) {
  const listener = { anonId: crypto.randomUUID(), userId: null }
  const seen = { phone: '', laptop: '' }
  const counts = { writes: 0, overwritten: 0, lost: 0 }
  let stored = { version: '', lastPositionSec: 0 }
  const due: { at: number; report: ProgressReport }[] = []
  const arrive = async (report: ProgressReport) => {
    const before = stored
    stored = await saveProgress(services.db, listener, report)
    counts.writes += 1
    const device = report.deviceId === 'phone' ? 'phone' : 'laptop'
    const isOwn = before.version === '' || before.version.startsWith(`${device}/`)
    const isTaken = stored.version === `${device}/${report.sequence}`
    if (isTaken && !isOwn && report.basedOn !== before.version) counts.overwritten += 1
    if (!isTaken && stored.lastPositionSec !== before.lastPositionSec) counts.overwritten += 1
    if (!isTaken && !isOwn && report.basedOn === before.version) counts.lost += 1
    return isTaken
  }
  for (const [at, { device, act, seconds, delay }] of steps.entries()) {
    for (const { report } of due.filter((each) => each.at === at)) await arrive(report)
    if (act === 'look') seen[device] = stored.version
    else {
      const report = {
        contentId: story.id,
        contentType: 'story' as const,
        lastPositionSec: seconds,
        totalSec,
        deviceId: device,
        sequence: startedAt + at,
        // The devices' clocks differ by hours, so the versions decide.
        lastUpdatedAt: new Date(startedAt + seconds * 60_000).toISOString(),
        basedOn: seen[device],
        ...(act !== 'listen' && { reason: act }),
      }
      if (delay > 0) due.push({ at: at + delay, report })
      else if (await arrive(report)) seen[device] = stored.version
    }
  }
  return counts
}

test('10,000 writes from two devices with current and stale versions overwrite and lose nothing', async () => {
  const total = { writes: 0, overwritten: 0, lost: 0 }
  const evening = fc.asyncProperty(
    fc.array(knowing, { minLength: 80, maxLength: 100, size: 'max' }),
    async (steps) => {
      const { writes, overwritten, lost } = await liveThrough(steps)
      total.writes += writes
      total.overwritten += overwritten
      total.lost += lost
    },
  )
  await Promise.all(seeds.map((each) => fc.assert(evening, { numRuns: 45, seed: each })))
  expect(total).toEqual({ writes: expect.any(Number), overwritten: 0, lost: 0 })
  expect(total.writes).toBeGreaterThan(10_000)
}, 300_000)

test('the last real listening wins after each report through the API', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 40, maxLength: 40 }), async (steps) => {
      await member.call('/api/user/history', { method: 'DELETE', json: {} })
      const sent = reportsOf(steps, story.id)
      const arrived: Sent[] = []
      for (const each of arrivals(steps, sent)) {
        const response = await member.call('/api/analytics/progress', { json: each.report })
        expect(response.status).toBe(200)
        arrived.push(each)
        const { progress } = (await response.json()) as { progress: { lastPositionSec: number } }
        expectNothingLost(arrived, progress.lastPositionSec, [])
      }
      const after = await findProgressWithPlaces(services.db, { anonId: userId, userId }, story.id, 'story')
      expectNothingLost(arrived, after?.lastPositionSec ?? -1, after?.places ?? [])
    }),
    { numRuns: 6 },
  )
})

test('concurrent reports from two devices lose no position', async () => {
  const listener = { anonId: crypto.randomUUID(), userId: null }
  const steps = fc.sample(step, { numRuns: 60 })
  const sent = reportsOf(steps, story.id)
  await Promise.all(sent.map(({ report }) => saveProgress(services.db, listener, report)))
  const after = await findProgressWithPlaces(services.db, listener, story.id, 'story')
  expectNothingLost(sent, after?.lastPositionSec ?? -1, after?.places ?? [])
})

test('each device has its own position, labelled phone or computer', async () => {
  const phone = { 'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Mobile/15E148' }
  const laptop = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' }
  const other = await memberBrowser(app, 'ines@example.com')
  const report = (headers: Record<string, string>, deviceId: string, lastPositionSec: number, at: string) =>
    other.call('/api/analytics/progress', {
      headers,
      json: {
        contentId: story.id,
        contentType: 'story',
        lastPositionSec,
        totalSec,
        deviceId,
        sequence: Date.parse(at),
        lastUpdatedAt: at,
      },
    })
  await report(laptop, 'here', 190, '2026-11-20T20:00:00Z')
  await report(phone, 'p', 724, '2026-11-21T07:52:00Z')
  const path = `/api/analytics/progress/${story.id}/story`
  const progress = (await other.json(path)) as { lastPositionSec: number; places: object[] }
  expect(progress.lastPositionSec).toBe(724)
  expect(progress.places).toMatchObject([
    { deviceId: 'p', device: 'phone', positionSec: 724, totalSec },
    { deviceId: 'here', device: 'computer', positionSec: 190, totalSec },
  ])
  expect(await member.json(path)).not.toMatchObject({ lastPositionSec: 724 })
})
