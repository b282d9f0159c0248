import { sql } from 'drizzle-orm'
import { until } from '#src/testing/until'
import { openTally, type Tally } from '../client'
import { countAcknowledged, findBroken, findLost, openLedger } from '../ledger'
import { startCrowd } from '../people'
import type { Random } from '../random'
import { type Outcome, outcomeOf } from '../report'
import { untilReady } from '../under-load'
import { type Cluster, openCluster } from './cluster'
import { describeSights, type Sight, seenDuring, shuffle } from './sights'

type Strike = { name: string; isGraceful?: true; strike(cluster: Cluster, random: Random): Promise<void> }

const strikes: readonly Strike[] = [
  {
    name: 'an instance is killed',
    async strike({ instances }, random) {
      const one = random.pick(instances)
      await one.kill()
      await Bun.sleep(random.whole(0, 1_500))
      await one.start()
    },
  },
  {
    name: 'an instance is restarted',
    isGraceful: true,
    async strike({ instances }, random) {
      const one = random.pick(instances)
      await one.terminate()
      await one.start()
    },
  },
  {
    name: 'all instances are restarted, one after the other',
    isGraceful: true,
    async strike({ instances }) {
      for (const one of instances) {
        await one.terminate()
        await one.start()
        // HAProxy asks every half second.
        await Bun.sleep(1_000)
      }
    },
  },
  { name: 'PgBouncer is killed and started', strike: ({ pooler }) => pooler.restart() },
  {
    name: 'the S3 server answers nothing for 3 s',
    async strike({ store }) {
      store.pause()
      await Bun.sleep(3_000)
      store.resume()
    },
  },
]

const failOver: Strike = {
  name: 'the primary is killed, the standby promoted',
  strike: (cluster) => cluster.failOver(),
}

/**
 * One thing after the other dies in a cluster under mixed load, whose clients send once more what got no good answer.
 * Where instances are restarted as documented, none of them may see a failure.
 */
export async function breakCluster(random: Random, rounds: number): Promise<Outcome> {
  const cluster = await openCluster()
  const ledger = openLedger()
  const tally = openTally()
  const sights: Sight[] = []
  const complaints: string[] = []
  try {
    const crowd = startCrowd({
      origin: () => cluster.origin,
      ledger,
      tally,
      random: random.fork(),
      retry: 'once',
      readers: 4,
    })
    const planned = shuffle(random, [...Array.from({ length: rounds }, () => strikes).flat(), failOver])
    for (const { name, isGraceful, strike } of planned) {
      await Bun.sleep(random.whole(500, 2_000))
      const sight = await seenDuring(name, tally, async () => {
        await strike(cluster, random).catch((error: unknown) => complaints.push(`${name}: ${error}`))
        await untilAllReady(cluster).catch((error: unknown) => complaints.push(`${name}: ${error}`))
      })
      sights.push(sight)
      process.stderr.write(`${describeSights([sight])}\n`)
      if (isGraceful && sight.failed > 0) complaints.push(`${name}: ${sight.failed} clients saw a failure`)
    }
    await Bun.sleep(500)
    await crowd.leave()
    const lost = [...(await findLost(ledger, cluster.db)), ...(await findBroken(cluster.db))]
    process.stderr.write(`${lost.length} lost or broken of ${countAcknowledged(ledger)}\n`)
    const jobs = await drainJobs(cluster)
    return outcomeOf('cluster', {
      tried: planned.length,
      survived: planned.length - complaints.length,
      acknowledged: countAcknowledged(ledger),
      lost: [...complaints, ...lost],
      letIn: tally.letIn,
      serverErrors: tally.serverErrors,
      note: `${noteOf(tally)}; ${jobs}`,
    })
  } finally {
    await cluster.stop()
  }
}

async function untilAllReady({ origin, instances }: Cluster): Promise<void> {
  for (const each of [...instances.map((one) => one.origin), origin])
    await untilReady(each).catch(async () => {
      const answer = await fetch(`${each}/readyz`).catch((error: unknown) => error)
      const said = answer instanceof Response ? await answer.text() : answer
      throw new Error(`${each} does not get ready: ${said}`)
    })
}

function noteOf({ requests, retried, failed, longestGapMs, errors }: Tally): string {
  const bugs = [...errors].map(([what, times]) => `; ${times} × ${what}`).join('')
  return `${requests} requests, ${retried} of them once more, ${failed} failed, longest gap ${(longestGapMs / 1_000).toFixed(1)} s${bugs}`
}

/** Waits until every narration that is due has ended, by whichever instance; of undone items none can be made. */
async function drainJobs({ db }: Cluster): Promise<string> {
  const countOf = async (condition: string) => {
    const [row] = await db.execute<{ count: number }>(
      sql.raw(`select count(*)::int as count from jobs where kind = 'narrate' and ${condition}`),
    )
    return row?.count ?? 0
  }
  await until(
    async () => (await countOf("(state = 'running' or state = 'queued' and run_after <= now())")) === 0,
  )
  return `${await countOf("state = 'done'")} narrations done, ${await countOf('attempts > 1')} of them begun anew`
}
