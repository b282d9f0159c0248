import { sql } from 'drizzle-orm'
import type { Database } from '#db/db'
import type { Ledger } from '../ledger'
import { tortureToken } from '../program'

/** The lease of a job whose end could not be written expires within a minute. */
const silenceSecondsMax = 90

/**
 * Waits until every due narration has ended, on whichever instance, as long as some continue to end. Narrations of
 * items that were undone cannot be made; any other failure is a complaint.
 */
export async function drainJobs(db: Database): Promise<{ note: string; complaints: string[] }> {
  const left = await waitForEnd(() =>
    countJobs(db, "(state = 'running' or state = 'queued' and run_after <= now())"),
  )
  const failed = await countJobs(db, "state = 'failed' and error not like 'The item is gone%'")
  const complaints = [
    ...(left > 0 ? [`${left} narrations do not end`] : []),
    ...(failed > 0 ? [`${failed} narrations failed`] : []),
  ]
  const done = await countJobs(db, "state = 'done'")
  const anew = await countJobs(db, "state = 'done' and attempts > 1")
  return { note: `${done} narrations done, each once, ${anew} of them begun anew`, complaints }
}

/** Waits until none is left, or none has ended for a while. Returns the number left. */
async function waitForEnd(count: () => Promise<number>): Promise<number> {
  let left = await count()
  let endedAt = performance.now()
  while (left > 0 && performance.now() - endedAt < silenceSecondsMax * 1_000) {
    await Bun.sleep(500)
    const now = await count()
    if (now < left) endedAt = performance.now()
    left = now
  }
  return left
}

async function countJobs(db: Database, condition: string): Promise<number> {
  const [row] = await db.execute<{ count: number }>(
    sql.raw(`select count(*)::int as count from jobs where kind = 'narrate' and ${condition}`),
  )
  return row?.count ?? 0
}

/** Returns the items whose acknowledged audio is not the audio that is served now. */
export async function findUnheard({ narrations }: Ledger, origin: string): Promise<string[]> {
  const unheard: string[] = []
  for (const [item, hash] of narrations) {
    const response = await fetch(`${origin}/api/premium-audio/${item}/female`, {
      headers: { authorization: `Bearer ${tortureToken}` },
      signal: AbortSignal.timeout(20_000),
    })
    const heard = new Bun.CryptoHasher('sha256').update(await response.arrayBuffer()).digest('hex')
    if (heard !== hash) unheard.push(`audio of ${item}: ${response.status}, and not what was uploaded`)
  }
  return unheard
}
