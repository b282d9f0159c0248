import type { Sql } from 'postgres'

/** The maximum lag in seconds of reads that may lag. A replica that is farther behind is not read. */
export const replicaLagSecondsMax = 5

/** Milliseconds between two measurements. After a change that readers must see, they start with shorter pauses. */
const measureEveryMs = 1_000
const measureAgainMs = 20

/** Whether a replica may be read, and if not, why. */
export type ReplicaState = 'unknown' | 'ready' | 'behind' | 'away' | 'no standby'

export type ReplicaOptions = {
  lagSecondsMax?: number
  /** A replica that takes longer to answer counts as away. By default two seconds. */
  answerMs?: number
  /** Called at each change of the state. */
  onState?: (state: ReplicaState, error: unknown) => void
}

/** A replica and its measured state. */
export type ReplicaWatch = {
  /** Whether the replica may be read now. */
  isReadable(): boolean
  /**
   * Call it after a change that the next reader must see. The replica is not read until it has replayed everything
   * written so far.
   */
  requireChange(): void
  /** Call it after a failed read. The replica is not read until it has been measured again. */
  giveUp(error: unknown): void
  /** Measures the replica now. */
  measure(): Promise<ReplicaState>
  state(): ReplicaState
  /** Returns the lag at the last measurement in seconds; null if it is not known. */
  lagSeconds(): number | null
  stop(): void
}

type Sides = { primary: Sql; replica: Sql; hangUp(): void }

/**
 * Measures a streaming standby against its primary, once a second. It is readable if it is a standby of this very
 * database, answers, is at most `lagSecondsMax` behind, and has replayed every change announced by `requireChange`:
 * otherwise a cache that a change has cleared could be filled with the old data again.
 */
export function watchReplica(
  sides: Sides,
  { lagSecondsMax = replicaLagSecondsMax, answerMs = 2_000, onState = () => {} }: ReplicaOptions = {},
): ReplicaWatch {
  let state: ReplicaState = 'unknown'
  let lagSeconds: number | null = null
  let measuredAt = Number.NEGATIVE_INFINITY
  let caughtUpAt = Number.NEGATIVE_INFINITY
  /** Changes are numbered. The primary's log up to `target.position` contains the changes up to `target.change`. */
  let changes = 0
  let replayed = 0
  let target = { change: 0, position: 0 }
  let pauseMs = measureEveryMs
  let timer = setTimeout(run, 0)
  let running: Promise<void> | null = null
  let isStopped = false

  function enter(next: ReplicaState, error: unknown = null): void {
    if (next === state || isStopped) return
    state = next
    onState(state, error)
  }

  async function measure(): Promise<void> {
    try {
      const change = changes
      const primary = await readPosition(sides.primary)
      // The earliest position is enough. A later one might never be reached, however small the lag is.
      if (target.change < change) target = { change, position: primary.position }
      const askedAt = performance.now()
      const standby = await answered(readStandby(sides.replica), answerMs, sides.hangUp)
      if (!isStandbyOf(standby, primary)) return enter('no standby')
      if (standby.position >= target.position) replayed = target.change
      if (standby.position >= primary.position) caughtUpAt = askedAt
      measuredAt = askedAt
      lagSeconds = lagOf(primary, standby, secondsSince(caughtUpAt))
      enter(lagSeconds <= lagSecondsMax ? 'ready' : 'behind')
    } catch (error) {
      lagSeconds = null
      enter('away', error)
    }
  }

  async function run(): Promise<void> {
    clearTimeout(timer)
    running ??= measure().finally(() => {
      running = null
      if (isStopped) return
      const isWaiting = state === 'ready' && replayed < changes
      pauseMs = isWaiting ? Math.min(pauseMs * 2, measureEveryMs) : measureEveryMs
      timer = setTimeout(run, pauseMs)
      timer.unref()
    })
    await running
  }

  return {
    isReadable() {
      // The replica may have stopped replaying right after it was measured.
      const isRecent = secondsSince(measuredAt) + (lagSeconds ?? 0) <= lagSecondsMax
      return state === 'ready' && replayed === changes && isRecent
    },
    requireChange() {
      changes += 1
      pauseMs = measureAgainMs / 2
      if (state === 'ready') void run()
    },
    giveUp(error) {
      lagSeconds = null
      enter('away', error)
    },
    async measure() {
      await running
      await run()
      return state
    },
    state: () => state,
    lagSeconds: () => lagSeconds,
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}

function secondsSince(instant: number): number {
  return (performance.now() - instant) / 1_000
}

type Position = {
  /** Identify the cluster, and the database in it. A streaming standby has the same as its primary. */
  system: string
  database: number
  /** Position in the log in bytes: written, or replayed. */
  position: number
}
type PrimaryPosition = Position & { epochSeconds: number }
type StandbyPosition = Position & { isStandby: boolean; replayedSeconds: number | null }

const identity = `
  (select system_identifier::text from pg_control_system()) as system,
  (select oid::int8::float8 from pg_database where datname = current_database()) as database`

async function readPosition(sql: Sql): Promise<PrimaryPosition> {
  // Includes what is written but not flushed yet, because a commit may be acknowledged before that (synchronous_commit
  // = off).
  const [row] = await sql.unsafe<PrimaryPosition[]>(`
    select ${identity}, pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as position,
      extract(epoch from clock_timestamp())::float8 as "epochSeconds"`)
  if (!row) throw new Error('The primary answered no row.')
  return row
}

async function readStandby(sql: Sql): Promise<StandbyPosition> {
  const [row] = await sql.unsafe<StandbyPosition[]>(`
    select ${identity}, pg_is_in_recovery() as "isStandby",
      coalesce(pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0'), 0)::float8 as position,
      extract(epoch from pg_last_xact_replay_timestamp())::float8 as "replayedSeconds"`)
  if (!row) throw new Error('The replica answered no row.')
  return row
}

function isStandbyOf(standby: StandbyPosition, primary: PrimaryPosition): boolean {
  return standby.isStandby && standby.system === primary.system && standby.database === primary.database
}

/**
 * Returns the lag in seconds, the smaller of two upper bounds: the time since the standby had replayed everything; and,
 * by the primary's clock alone, the time since the last replayed transaction, which is long on an idle primary.
 */
function lagOf(primary: PrimaryPosition, standby: StandbyPosition, secondsSinceCaughtUp: number): number {
  if (standby.position >= primary.position) return 0
  const { replayedSeconds } = standby
  const sinceReplayed =
    replayedSeconds === null ? Number.POSITIVE_INFINITY : primary.epochSeconds - replayedSeconds
  return Math.max(0, Math.min(secondsSinceCaughtUp, sinceReplayed))
}

/** Waits for an answer. Calls `hangUp` if there is none in time, as when a machine has vanished. */
async function answered<T>(answer: Promise<T>, answerMs: number, hangUp: () => void): Promise<T> {
  const silence = setTimeout(hangUp, answerMs)
  try {
    return await answer
  } finally {
    clearTimeout(silence)
  }
}
