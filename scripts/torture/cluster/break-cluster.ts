import { untilReady } from '#scripts/until-ready'
import { openTally, type Tally } from '../client'
import { countAcknowledged, findBroken, findLost, type Ledger, openLedger } from '../ledger'
import { startCrowd } from '../people'
import type { Random } from '../random'
import { type Outcome, outcomeOf } from '../report'
import { openTimeLimit } from '../time-limit'
import { type Cluster, openCluster } from './cluster'
import { drainJobs, findUnheard } from './compare'
import { describeSights, type Sight, seenDuring, shuffle } from './sights'

type Strike = { name: string; failsNobody?: true; strike(cluster: Cluster, random: Random): Promise<void> }

const strikes: readonly Strike[] = [
  {
    name: 'an instance is killed',
    failsNobody: true,
    async strike({ instances }, random) {
      const one = random.pick(instances)
      await one.kill()
      await Bun.sleep(random.whole(0, 1_500))
      await one.start()
    },
  },
  {
    name: 'an instance is restarted',
    failsNobody: true,
    async strike({ instances }, random) {
      const one = random.pick(instances)
      await one.terminate()
      await one.start()
    },
  },
  {
    name: 'all instances are restarted, one after the other',
    failsNobody: true,
    async strike({ instances }) {
      for (const one of instances) {
        await one.terminate()
        await one.start()
        // HAProxy checks every half second.
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

/** The state of the run so far. */
type Run = {
  random: Random
  ledger: Ledger
  tally: Tally
  sights: Sight[]
  /** A sentence for each failure. */
  complaints: string[]
  /** The current step. */
  step: string
  notes: string[]
}

/**
 * Kills one part of a cluster after the other, under a gentle mixed load whose clients retry once without a good
 * response. When instances die or are restarted as documented, no client may see a failure. The run ends in bounded
 * time and leaves nothing behind.
 */
export async function breakCluster(random: Random, rounds: number): Promise<Outcome> {
  const planned = shuffle(random, [...Array.from({ length: rounds }, () => strikes).flat(), failOver])
  const limit = openTimeLimit(minutesOf(rounds))
  const cluster = await openCluster()
  const run: Run = {
    random,
    ledger: openLedger(),
    tally: openTally(),
    sights: [],
    complaints: [],
    step: 'start',
    notes: [],
  }
  try {
    await Promise.race([breakAndCompare(cluster, run, planned), limit.over])
  } catch (error) {
    run.complaints.push(`${run.step}: ${error}`)
  } finally {
    limit.close()
    process.stderr.write(`${describeSights(run.sights)}\n`)
    await cluster.stop()
  }
  return outcomeOf('cluster', {
    tried: planned.length,
    survived: run.sights.filter(({ isSurvived }) => isSurvived).length,
    acknowledged: countAcknowledged(run.ledger),
    lost: run.complaints,
    wronglyAllowed: run.tally.wronglyAllowed,
    serverErrors: run.tally.serverErrors,
    note: [noteOf(run.tally), ...run.notes].join('; '),
  })
}

/**
 * Time for clients that were asked to retry in 5 s (Retry-After), so that what they see is attributed to the part that
 * died.
 */
const afterwardsMs = 6_000

/** The time limit in minutes. A round takes about two on two cores that are also used by others. */
const minutesOf = (rounds: number) => 5 + 5 * rounds

async function breakAndCompare(cluster: Cluster, run: Run, planned: readonly Strike[]): Promise<void> {
  const { ledger, tally, random, complaints } = run
  const crowd = startCrowd({
    origin: () => cluster.origin,
    ledger,
    tally,
    random: random.fork(),
    retry: 'once',
    readers: 4,
    restMs: 600,
  })
  for (const each of planned) await strikeOnce(cluster, run, each)
  run.step = 'the clients leave'
  await Bun.sleep(500)
  await crowd.leave()
  run.step = 'the narrations end'
  const jobs = await drainJobs(cluster.db)
  run.notes.push(jobs.note)
  run.step = 'the comparison'
  complaints.push(
    ...jobs.complaints,
    ...(await findLost(ledger, cluster.db)),
    ...(await findBroken(cluster.db)),
    ...(await findUnheard(ledger, cluster.origin)),
  )
}

async function strikeOnce(cluster: Cluster, run: Run, { name, failsNobody, strike }: Strike): Promise<void> {
  const { random, tally, complaints } = run
  await Bun.sleep(random.whole(500, 2_000))
  run.step = name
  process.stderr.write(`  ${name} …\n`)
  const before = complaints.length
  const complain = (error: unknown) => complaints.push(`${name}: ${error}`)
  const sight = await seenDuring(name, tally, async () => {
    await strike(cluster, random).catch(complain)
    await untilAllReady(cluster).catch(complain)
    await Bun.sleep(afterwardsMs)
  })
  if (failsNobody && sight.failed > 0) complain(`${sight.failed} clients saw a failure`)
  run.sights.push({ ...sight, isSurvived: complaints.length === before })
}

async function untilAllReady({ origin, instances }: Cluster): Promise<void> {
  for (const one of instances)
    await untilReady(one.origin).catch(async (error) => {
      throw new Error(`${error}\n${await one.lastWords()}`)
    })
  await untilReady(origin)
}

function noteOf({ requests, retried, reasons, failed, longestGapMs, errors }: Tally): string {
  const why = [...reasons].map(([reason, times]) => `${times} × ${reason}`).join(', ')
  const bugs = [...errors].map(([what, times]) => `; ${times} × ${what}`).join('')
  return `${requests} requests, ${retried} of them once more (${why}), ${failed} failed, longest gap ${(longestGapMs / 1_000).toFixed(1)} s${bugs}`
}
