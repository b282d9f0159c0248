import type { Database } from '#db/db'
import { shortageOf } from '#db/failures'
import type { Log } from '#src/process/log'
import { runEvery } from '#src/process/run-every'
import { rollUp, rollUpIfFree } from './rollup'

/**
 * The longest time that a dashboard waits for a rollup. If the last one took longer, the next runs in the background.
 */
const waitMsMax = 250
/** Rollups take at most a tenth of the time: after each, this many times its duration has to pass. */
const restFactor = 10
const tickSeconds = 10

const lastRuns = new WeakMap<Database, { endedAt: number; tookMs: number }>()

/**
 * Updates the rollups before they are read, so that "Today" is live, if that is quick. If another process is folding
 * for longer, the figures counted so far are read.
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
