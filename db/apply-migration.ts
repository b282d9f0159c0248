import type { Sql, TransactionSql } from 'postgres'
import { AppError } from '#src/app-error'
import { codeOf, shortageOf } from './failures'
import { concurrentIndexOf, isBatch, isConcurrent, type Migration } from './migration-files'

/**
 * How long a statement waits for a lock. Statements that queue up behind it wait as long. It is shorter than
 * PostgreSQL's deadlock_timeout (one second): if a transaction of the running program and a migration wait for each
 * other, the migration gives up.
 */
export const lockTimeoutMs = 500
/** Together with the pauses, about four minutes. */
const triesMax = 120
const pauseMsMax = 2_000

/**
 * Applies a migration: within a transaction of its own, or statement by statement if it is marked so. The session has
 * the lock_timeout `lockTimeoutMs` and holds the turn to migrate. Retries while others hold a lock that it needs.
 * Throws `conflict` after four minutes; the migration is not applied then.
 */
export async function applyMigration(sql: Sql, migration: Migration): Promise<void> {
  const { statements, name } = migration
  if (!migration.isOutsideTransaction)
    return await untilFree(name, () => sql.begin((tx) => applyWithin(tx, migration)).then(() => {}))
  for (const statement of statements) {
    await untilFree(name, () => runAlone(sql, statement))
  }
  await noteApplied(sql, migration)
}

/** Applies a migration within the caller's transaction. Nobody else may be using the tables. */
export async function applyWithin(tx: TransactionSql, migration: Migration): Promise<void> {
  for (const statement of migration.statements) {
    const alone = statement.replace(/\b(create (?:unique )?index|drop index) concurrently\b/gi, '$1')
    while ((await tx.unsafe(alone)).count > 0 && isBatch(statement));
  }
  await noteApplied(tx, migration)
}

async function noteApplied(sql: Sql | TransactionSql, { hash, madeAtMs }: Migration): Promise<void> {
  await sql`insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${madeAtMs})`
}

async function runAlone(sql: Sql, statement: string): Promise<void> {
  if (!isConcurrent(statement)) {
    while ((await sql.unsafe(statement)).count > 0 && isBatch(statement));
    return
  }
  // The statement waits for every older transaction, and blocks nobody meanwhile.
  await sql`set lock_timeout = 0`
  await dropInvalid(sql, concurrentIndexOf(statement))
  await sql.unsafe(statement)
  await sql`reset lock_timeout`
}

/** Drops an index that an interrupted run has left invalid: every write updates it and no query uses it. */
async function dropInvalid(sql: Sql, name: string | null): Promise<void> {
  if (name === null) return
  const [found] = await sql`
    select from pg_index where indexrelid = to_regclass(quote_ident(${name})) and not indisvalid`
  if (found) await sql.unsafe(`drop index concurrently if exists "${name}"`)
}

async function untilFree(name: string, run: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await run()
    } catch (error) {
      if (shortageOf(error) !== 'contention') throw explainedFailure(name, error)
      if (tries >= triesMax) throw stillHeld(name, error)
      await Bun.sleep(Math.min(100 * 1.5 ** tries, pauseMsMax) * (0.5 + Math.random() / 2))
    }
  }
}

function stillHeld(name: string, cause: unknown): AppError {
  return new AppError(
    'conflict',
    `The migration ${name} did not get a lock in four minutes, because others hold it: the log names them. End their transactions, then start again; what was migrated stays.`,
    { cause },
  )
}

/**
 * Explains an error of a database that contains something unexpected: a table of another program, or rows that violate
 * a constraint. Other errors are returned unchanged.
 */
function explainedFailure(name: string, error: unknown): unknown {
  const code = codeOf(error)
  if (!/^(23|42)\w{3}$/.test(code)) return error
  // Messages of class 42 name tables and columns; those of class 23 may contain values.
  const what = code.startsWith('42') && error instanceof Error ? `${code}, ${error.message}` : code
  return new AppError(
    'conflict',
    `The migration ${name} does not fit what the database holds (${what}); what was migrated before it stays. Give Nocturne a database of its own, or put right what is in its way, then start again.`,
    { cause: error },
  )
}
