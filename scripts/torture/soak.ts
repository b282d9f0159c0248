import { readdir } from 'node:fs/promises'
import { sql } from 'drizzle-orm'
import { residentBytes } from '#scripts/bench/memory'
import { openTally } from './client'
import { countAcknowledged, findBroken, findLost, openLedger } from './ledger'
import { startCrowd } from './people'
import type { Random } from './random'
import { type Outcome, outcomeOf } from './report'
import { openTarget, type Target } from './target'
import { notesOf } from './under-load'

type Vitals = { megabytes: number; handles: number; connections: number }

/** The allowed growth from the middle of the run, when caches are full, to its end. */
const growthMax: Vitals = { megabytes: 24, handles: 20, connections: 3 }
const sampleSeconds = 5

/** Runs a mixed load for minutes. The program's memory, handles and connections must be flat from the middle on. */
export async function soak(random: Random, minutes: number): Promise<Outcome> {
  const target = await openTarget()
  const ledger = openLedger()
  const tally = openTally()
  try {
    const crowd = startCrowd({
      origin: () => target.origin,
      ledger,
      tally,
      random: random.fork(),
      restMs: 60,
    })
    const samples: Vitals[] = []
    for (let second = 0; second < minutes * 60; second += sampleSeconds) {
      await Bun.sleep(sampleSeconds * 1_000)
      samples.push(await vitalsOf(target))
    }
    await crowd.leave()
    const middle = medianOf(samples.slice(Math.floor(samples.length * 0.4), Math.floor(samples.length * 0.6)))
    const end = medianOf(samples.slice(Math.floor(samples.length * 0.8)))
    const grown = names.flatMap((name) =>
      end[name] - middle[name] > growthMax[name] ? [`${name} grew from ${middle[name]} to ${end[name]}`] : [],
    )
    return outcomeOf('soak', {
      tried: 1,
      survived: grown.length === 0 ? 1 : 0,
      acknowledged: countAcknowledged(ledger),
      lost: [...grown, ...(await findLost(ledger, target.db)), ...(await findBroken(target.db))],
      wronglyAllowed: tally.wronglyAllowed,
      serverErrors: tally.serverErrors,
      note: `${minutes} minutes; ${names.map((name) => `${name} ${middle[name]} → ${end[name]}`).join(', ')}; ${notesOf(tally)}`,
    })
  } finally {
    await target.stop()
  }
}

const names = ['megabytes', 'handles', 'connections'] as const

async function vitalsOf({ pid, db }: Target): Promise<Vitals> {
  const [row] = await db.execute<{ count: number }>(
    sql`select count(*)::int as count from pg_stat_activity where application_name = 'nocturne'`,
  )
  return {
    megabytes: Math.round(((await residentBytes(pid())) ?? 0) / 1_048_576),
    handles: (await readdir(`/proc/${pid()}/fd`)).length,
    connections: row?.count ?? 0,
  }
}

function medianOf(samples: readonly Vitals[]): Vitals {
  const middle = (name: keyof Vitals) =>
    samples.map((each) => each[name]).sort((a, b) => a - b)[Math.floor(samples.length / 2)] ?? 0
  return { megabytes: middle('megabytes'), handles: middle('handles'), connections: middle('connections') }
}
