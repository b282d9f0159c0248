import { sql } from 'drizzle-orm'
import type { Executor } from './db'

/**
 * Advisory locks, the same in all processes on a database. Their numbers never change: an older program that runs
 * meanwhile takes them too.
 */
export const lockIds = {
  demo: 5_400_301,
  /** Imports, their undos, and what brings removed items back: titles are compared under it. */
  imports: 5_400_302,
  /** Two that change a role's settings at once fail. */
  roleLimits: 5_400_303,
  guidelines: 5_400_304,
  analytics: 7_301,
  rankings: 7_302,
  /** Every process that changes the schema: migrations, and a restore. */
  migrations: 6_287_781_101,
  /** Of this version and later: who has it migrates, from the first pending migration to the last. */
  migrationTurns: 6_287_781_102,
} as const

/** The seed by which the hash of an audio file becomes the number of its own lock. */
export const audioLockSeed = 5_400_303

/** Waits for a lock, and holds it until the transaction ends. */
export async function lock(tx: Executor, name: keyof typeof lockIds): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${lockIds[name]})`)
}

/** The same, but throws a contention where another holds it for longer. */
export async function lockWithin(tx: Executor, name: keyof typeof lockIds, waitMsMax: number): Promise<void> {
  await tx.execute(sql`select set_config('lock_timeout', ${String(waitMsMax)}, true)`)
  await lock(tx, name)
  await tx.execute(sql`set local lock_timeout to default`)
}

/** The first without waiting: false where another process holds it. */
export async function tryLock(tx: Executor, name: keyof typeof lockIds): Promise<boolean> {
  const [row] = await tx.execute<{ isTaken: boolean }>(
    sql`select pg_try_advisory_xact_lock(${lockIds[name]}) as "isTaken"`,
  )
  return row?.isTaken ?? false
}
