import { until } from '#src/testing/until'
import { openTally, type Tally } from './client'
import { countAcknowledged, findBroken, findLost, openLedger } from './ledger'
import { startCrowd } from './people'
import type { Random } from './random'
import { type Outcome, outcomeOf } from './report'
import { openTarget, type Target, type TargetOptions } from './target'

/** Injects a fault. Resolves once the program has recovered, and throws if it does not. */
export type Strike = (target: Target) => Promise<void>

export type Scene = {
  part: string
  random: Random
  strikes: readonly Strike[]
  target?: TargetOptions
  /** The maximum time between two faults, in milliseconds. */
  restMs?: number
  note?: string
  /** Further checks at the end. Returns a sentence for each failure. */
  check?: (target: Target) => Promise<string[]>
}

/**
 * No fault is injected before this many acknowledgements, however slow the machine is: with few, little can be lost.
 */
const acknowledgedMin = 20

/** Injects one fault after the other under a mixed load, and then compares the database with what was acknowledged. */
export async function underLoad(scene: Scene): Promise<Outcome> {
  const { part, random, strikes, restMs = 1_500, note, check = async () => [] } = scene
  const target = await openTarget(scene.target)
  const ledger = openLedger()
  const tally = openTally()
  const failed: string[] = []
  try {
    const crowd = startCrowd({ origin: () => target.origin, ledger, tally, random: random.fork() })
    await until(() => countAcknowledged(ledger) > acknowledgedMin)
    for (const [at, strike] of strikes.entries()) {
      await Bun.sleep(random.whole(100, restMs))
      await strike(target).catch((error) => failed.push(`strike ${at + 1}: ${error}`))
    }
    await Bun.sleep(500)
    await crowd.leave()
    const lost = [
      ...(await findLost(ledger, target.db)),
      ...(await findBroken(target.db)),
      ...(await check(target)),
    ]
    return outcomeOf(part, {
      tried: strikes.length,
      survived: strikes.length - failed.length,
      acknowledged: countAcknowledged(ledger),
      lost: [...failed, ...lost],
      wronglyAllowed: tally.wronglyAllowed,
      serverErrors: tally.serverErrors,
      note: [note, notesOf(tally)].filter(Boolean).join('; '),
    })
  } finally {
    await target.stop()
  }
}

export function notesOf({ requests, unanswered, unavailable, errors }: Tally): string {
  const bugs = [...errors].map(([what, times]) => `${times} × ${what}`)
  return [`${requests} calls, ${unanswered} unanswered, ${unavailable} × 503`, ...bugs].join('; ')
}
