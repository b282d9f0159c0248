import { sql } from 'drizzle-orm'
import type { Executor } from './db'

/**
 * Advisory locks, shared by all processes on a database. Their numbers must never change, because an older version that
 * runs meanwhile uses them too.
 */
export const lockIds = {
  demo: 5_400_301,
  /** Imports, their undos, and whatever restores removed items: titles are compared under this lock. */
  imports: 5_400_302,
  /** Two transactions that change a role's settings at the same time fail. */
  roleLimits: 5_400_303,
  guidelines: 5_400_304,
  analytics: 7_301,
  rankings: 7_302,
  /** Taken by every process that changes the schema: migrations and a restore. */
  migrations: 6_287_781_101,
  /** Used since this version: its holder migrates, from the first pending migration to the last. */
  migrationTurns: 6_287_781_102,
} as const

/**
 * The seed that turns the hash of an audio file into the number of that file's lock. It must never change either. It is
 * not the number of a lock itself, so it may equal `roleLimits`.
 */
export const audioLockSeed = 5_400_303

/** Waits for a lock, and holds it until the transaction ends. */
export async function lock(tx: Executor, name: keyof typeof lockIds): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${lockIds[name]})`)
}

/** Like `lock`, but throws a contention error if another process holds the lock for longer than `waitMsMax`. */
export async function lockWithin(tx: Executor, name: keyof typeof lockIds, waitMsMax: number): Promise<void> {
  await tx.execute(sql`select set_config('lock_timeout', ${String(waitMsMax)}, true)`)
  await lock(tx, name)
  await tx.execute(sql`set local lock_timeout to default`)
}

/** Like `lock`, but does not wait: returns false if another process holds the lock. */
export async function tryLock(tx: Executor, name: keyof typeof lockIds): Promise<boolean> {
  const [row] = await tx.execute<{ isTaken: boolean }>(
    sql`select pg_try_advisory_xact_lock(${lockIds[name]}) as "isTaken"`,
  )
  return row?.isTaken ?? false
}
