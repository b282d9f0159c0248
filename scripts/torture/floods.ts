import { sql } from 'drizzle-orm'
import { residentBytes } from '#scripts/bench/memory'
import type { Random } from './random'
import { type Outcome, outcomeOf } from './report'
import { openTarget, type Target } from './target'

/** How far the program's memory may grow during a flood. Its buffers are bounded. */
const growthMegabytesMax = 200
/**
 * Floods the program with events: from one address, from ten thousand, in the largest batches, broken ones and repeated
 * ones. No visitor's page may take longer than `pageSecondsMax`, memory stays bounded, and accepted events are stored
 * once.
 */
export async function floodEvents(
  random: Random,
  { secondsEach, pageSecondsMax }: { secondsEach: number; pageSecondsMax: number },
): Promise<Outcome> {
  const target = await openTarget()
  try {
    const before = (await residentBytes(target.pid())) ?? 0
    const accepted = new Set<string>()
    const failures: string[] = []
    const tally = { sent: 0, serverErrors: 0, refused: 0, longestPageMs: 0 }
    const floods = [
      { name: 'one address', address: () => '10.1.1.1', batch: () => batchOf(50) },
      { name: 'ten thousand addresses', address: () => anyAddress(random), batch: () => batchOf(10) },
      {
        name: 'the largest batches',
        address: () => anyAddress(random),
        batch: () => batchOf(50, 'x'.repeat(1_200)),
      },
      { name: 'broken batches', address: () => anyAddress(random), batch: () => [null, 7, { id: 'no' }, []] },
      { name: 'told before', address: () => '10.1.1.2', batch: () => known },
    ]
    const known = batchOf(50)
    for (const { name, address, batch } of floods) {
      const longestMs = await flood(target, { seconds: secondsEach, address, batch }, accepted, tally)
      if (longestMs > pageSecondsMax * 1_000)
        failures.push(`${name}: a page took longer than ${pageSecondsMax} s`)
    }
    const grown = Math.round((((await residentBytes(target.pid())) ?? 0) - before) / 1_048_576)
    if (grown > growthMegabytesMax) failures.push(`the program grew by ${grown} MB`)
    const lost = await findLostEvents(target, accepted)
    return outcomeOf('floods of events', {
      tried: floods.length,
      survived: floods.length - failures.length,
      acknowledged: accepted.size,
      lost: [...failures, ...lost],
      serverErrors: tally.serverErrors,
      note: `${tally.sent} batches, ${tally.refused} refused, longest page ${Math.round(tally.longestPageMs)} ms, ${grown} MB more`,
    })
  } finally {
    await target.stop()
  }
}

type Event = { id: string; eventType: string; timestamp: string; data?: Record<string, string> }

function batchOf(events: number, filling?: string): Event[] {
  return Array.from({ length: events }, () => ({
    id: crypto.randomUUID(),
    eventType: 'page_view',
    timestamp: new Date().toISOString(),
    ...(filling && { data: { filling } }),
  }))
}

const anyAddress = (random: Random) =>
  `10.${random.whole(0, 255)}.${random.whole(0, 255)}.${random.whole(1, 254)}`

async function flood(
  { origin }: Target,
  { seconds, address, batch }: { seconds: number; address: () => string; batch: () => readonly unknown[] },
  accepted: Set<string>,
  tally: { sent: number; serverErrors: number; refused: number; longestPageMs: number },
): Promise<number> {
  const until = performance.now() + seconds * 1_000
  let longestMs = 0
  const send = async () => {
    while (performance.now() < until) {
      const events = batch()
      const response = await fetch(`${origin}/api/analytics/events`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': address() },
        body: JSON.stringify({ events }),
      }).catch(() => null)
      tally.sent += 1
      if (!response) continue
      if (response.status >= 500 && response.status !== 503) tally.serverErrors += 1
      if (!response.ok) tally.refused += 1
      const { accepted: count } = Object(await response.json().catch(() => null))
      if (response.ok && count === events.length)
        for (const event of events) accepted.add(String(Object(event).id))
    }
  }
  const look = async () => {
    while (performance.now() < until) {
      const startedAt = performance.now()
      await fetch(origin, { headers: { 'x-forwarded-for': '10.255.0.1' } }).then((response) =>
        response.text(),
      )
      longestMs = Math.max(longestMs, performance.now() - startedAt)
      await Bun.sleep(100)
    }
  }
  await Promise.all([look(), ...Array.from({ length: 24 }, send)])
  tally.longestPageMs = Math.max(tally.longestPageMs, longestMs)
  return longestMs
}

async function findLostEvents({ db }: Target, accepted: ReadonlySet<string>): Promise<string[]> {
  const rows = await db.execute<{ id: string; times: number }>(
    sql`select id::text, count(*)::int as times from analytics_events group by anon_id, id`,
  )
  const stored = new Map(rows.map(({ id, times }) => [id, times]))
  const lost = [...accepted].filter((id) => !stored.has(id))
  const doubled = rows.filter(({ times }) => times > 1)
  return [
    ...(lost.length > 0 ? [`${lost.length} events were accepted and are not there`] : []),
    ...(doubled.length > 0 ? [`${doubled.length} events are there more than once`] : []),
  ]
}
