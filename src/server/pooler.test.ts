import { describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { openDatabase, sessionLimits } from '#db/db'
import { prepareOnce } from '#db/prepared'
import { betaSignups } from '#db/schema'
import { limitRole } from '#db/session-limits'
import { emptyDatabaseUrl, testDatabaseUrl } from '#db/testing'
import { startPgBouncer } from '#db/testing-pgbouncer'
import { pgBouncer } from '#db/testing-pooler'
import { createLog } from '#src/process/log'
import { libraryChanged, listenForChanges, onLibraryChange } from '#src/story/library-changed'
import { until } from '#src/testing/until'
import { programStarter } from './testing-program'

/** Runs behind PgBouncer in transaction mode, where the next statement may use another session. */
const { start, complaintOf } = await programStarter()

describe.skipIf(pgBouncer === null)('PgBouncer in transaction mode', () => {
  test('works before an empty database: the program migrates it, serves and stops', async () => {
    const direct = await emptyDatabaseUrl()
    const pooled = await startPgBouncer(direct)
    const { url, log, stop } = await start({
      DATABASE_URL: pooled,
      DATABASE_DIRECT_URL: direct,
      DATABASE_POOL: '20',
      DEMO: 'off',
    })
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, at) => fetch(`${url}/stories?q=${at % 2 ? 'night' : ''}&page=${at}`)),
    )
    expect(answers.filter(({ ok }) => !ok)).toEqual([])
    expect(await stop()).toBe(0)
    expect(log()).not.toMatch(/"level":"(warn|error)"/)
  })

  test.each([
    ['rejects the program’s session settings', {}],
    [
      'ignores the program’s session settings',
      { ignore_startup_parameters: 'statement_timeout,idle_in_transaction_session_timeout' },
    ],
  ])(
    'stops the start without DATABASE_DIRECT_URL when it %s',
    async (_, settings: Record<string, string>) => {
      const direct = await testDatabaseUrl()
      const pooled = await startPgBouncer(direct, settings)
      const before = openDatabase(pooled, { directUrl: direct })
      await limitRole(before, sessionLimits)
      await before.close()
      expect(await complaintOf({ DATABASE_URL: pooled })).toBe(
        "Nocturne cannot start. DATABASE_URL is the address of a pooler, such as PgBouncer. Set DATABASE_DIRECT_URL to PostgreSQL's own address, for migrations and notifications.\n",
      )
    },
  )

  test('handles more concurrent statements and transactions than it has connections', async () => {
    const direct = await testDatabaseUrl()
    const db = openDatabase(await startPgBouncer(direct), { directUrl: direct, max: 20 })
    const prepared = prepareOnce((on) =>
      on
        .select({ n: sql<number>`${sql.placeholder('n')}::int` })
        .from(sql`(values (1)) as one`)
        .prepare('echo'),
    )
    const asked = Array.from({ length: 100 }, async (_, n) => {
      const [row] = await prepared(db).execute({ n })
      const [again] = await db.sql`select ${n}::int as n`
      const counted = await db.transaction(async (tx) => {
        await tx.insert(betaSignups).values({ email: `ada.${n}@example.com` })
        return tx.$count(betaSignups)
      })
      return row?.n === n && again?.n === n && counted > 0
    })
    expect((await Promise.all(asked)).every(Boolean)).toBe(true)
    expect(await db.$count(betaSignups)).toBe(100)
    await db.close()
  })

  test('handles a statement with parameters after one without on the same connection', async () => {
    const direct = await testDatabaseUrl()
    const db = openDatabase(await startPgBouncer(direct), { directUrl: direct, max: 1 })
    await db.execute(sql`select 1`)
    // Parsing this takes PostgreSQL some milliseconds, during which the pooler gives its connection to others.
    const long = sql.raw(' + 0'.repeat(2_000))
    const answers = await Promise.all([
      db.execute(sql`select 1 as n`),
      db.execute(sql`select ${2}::int ${long} as n`),
      db.execute(sql`select 3 as n`),
      db.transaction((tx) => tx.execute(sql`select ${4}::int as n`)),
    ])
    expect(answers.map(([row]) => row?.n)).toEqual([1, 2, 3, 4])
    await db.close()
  })

  test('passes our time zone on to every connection', async () => {
    const direct = await testDatabaseUrl()
    const owner = openDatabase(direct, { max: 1 })
    await owner.sql.unsafe(
      `do $$ begin execute format('alter database %I set timezone = ''America/Santiago''', current_database()); end $$`,
    )
    await owner.close()
    const db = openDatabase(await startPgBouncer(direct), { directUrl: direct, max: 2 })
    expect([...(await db.sql`select current_setting('TimeZone') as zone`)]).toEqual([{ zone: 'UTC' }])
    await db.close()
  })

  test('lets notifications reach every process', async () => {
    const direct = await testDatabaseUrl()
    const pooled = await startPgBouncer(direct)
    const [here, there] = [0, 1].map(() => openDatabase(pooled, { directUrl: direct, max: 2 }))
    if (!here || !there) throw new Error('Two were opened.')
    let changes = 0
    await listenForChanges({ db: there, log: createLog('error') })
    onLibraryChange(there, () => {
      changes += 1
    })
    await libraryChanged(here)
    await until(() => changes === 1)
    await Promise.all([here.close(), there.close()])
  })

  test('gets statement timeouts from the role, in this database only, unless the operator set one', async () => {
    const direct = await testDatabaseUrl()
    const limitsOf = async (url: string) => {
      const db = openDatabase(url, { directUrl: url, max: 1 })
      const [row] = await db.sql`
        select current_setting('statement_timeout') as statement, current_setting('idle_in_transaction_session_timeout') as idle`
      await db.close()
      return { ...row }
    }
    const first = openDatabase(direct, { directUrl: direct, max: 3 })
    await first.sql.unsafe(
      `do $$ begin execute format('alter role current_user in database %I set statement_timeout = 7000', current_database()); end $$`,
    )
    await Promise.all([0, 1, 2].map(() => limitRole(first, sessionLimits)))
    await first.close()
    expect(await limitsOf(await startPgBouncer(direct))).toEqual({ statement: '7s', idle: '1min' })
    expect(await limitsOf(await testDatabaseUrl())).toEqual({ statement: '0', idle: '0' })
  })
})
