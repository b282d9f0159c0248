import type { Database } from '#db/db'
import { shortageOf } from '#db/failures'
import type { Log } from '#src/process/log'
import { runEvery } from '#src/process/run-every'
import { rollUp, rollUpIfFree } from './rollup'

/** A dashboard waits for a rollup this long at most; a larger day is updated in the background. */
const waitMsMax = 250
/** A rollup takes at most a tenth of the time. */
const restFactor = 10
const tickSeconds = 10

const lastRuns = new WeakMap<Database, { endedAt: number; tookMs: number }>()

/**
 * Updates the rollups before they are read, so that "Today" is live, as long as that is quick. Where another process
 * folds for longer, what is counted already is read.
 */
export async function refreshRollups(db: Database): Promise<void> {
  const last = lastRuns.get(db)
  if (last && last.tookMs > waitMsMax && performance.now() - last.endedAt < last.tookMs * restFactor) return
  try {
    await timed(db, rollUp)
  } catch (error) {
    if (shortageOf(error) !== 'contention') throw error
  }
}

/** Keeps the rollups up to date while the program runs. */
export function startRollups(db: Database, log: Log): { stop(): Promise<void> } {
  return runEvery({ seconds: tickSeconds, first: 'later', failure: 'rolling up failed', log }, async () => {
    const last = lastRuns.get(db)
    if (last && performance.now() - last.endedAt < last.tookMs * restFactor) return
    await timed(db, rollUpIfFree)
  })
}

async function timed(db: Database, run: (db: Database) => Promise<unknown>): Promise<void> {
  const startedAt = performance.now()
  try {
    await run(db)
  } finally {
    lastRuns.set(db, { endedAt: performance.now(), tookMs: performance.now() - startedAt })
  }
}
