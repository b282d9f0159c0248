import { expect, test } from 'bun:test'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { testTerminal } from '#cli/testing'
import { lockIds } from '#db/locks'
import { stories } from '#db/schema'
import { until } from '#src/testing/until'

const terminal = await testTerminal()
const { db, folder, interruptWhen } = terminal
const temporary = join(folder, 'tmp')
mkdirSync(temporary)
terminal.environment.TMPDIR = temporary

/** Interrupts a command while it waits for the library. Returns its output and what it has left there. */
async function interrupted(stdin: string, ...words: string[]) {
  const outcome = await db.sql.begin(async (tx) => {
    await tx`lock table stories, audit_log in access exclusive mode`
    const isWaiting = async () => {
      await tx`select pg_stat_clear_snapshot()`
      const waiting = await tx`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      return waiting.length > 0
    }
    return interruptWhen(isWaiting, stdin, ...words)
  })
  // The server rolls back once it has got the lock.
  await until(async () => {
    const others = await db.sql`
      select from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`
    return others.length === 0
  })
  return outcome
}
const stopped = 'Stopped. What was in progress was not done; what was done before stays.'

test('an interrupted import changes nothing, leaves no temporary file and can be repeated', async () => {
  const sheet = 'The lamp\tRomantic\tkind\tShe lit the lamp and waited for him.\n'
  const outcome = await interrupted(sheet, 'stories', 'import', '-', '--json')
  expect(outcome).toMatchObject({ code: 130, err: expect.stringContaining(stopped) })
  expect(JSON.parse(outcome.out)).toMatchObject({ success: false, code: 'stopped', message: stopped })
  expect(readdirSync(temporary)).toEqual([])
  expect(await db.$count(stories)).toBe(0)
  expect((await terminal.runWith(sheet, 'stories', 'import', '-')).code).toBe(0)
})

for (const [what, file, ...words] of [
  ['an export', 'library.csv', 'stories', 'export', '--out', 'library.csv'],
  ['a backup', 'library.zip', 'backup', 'library.zip', '--force'],
] as const)
  test(`${what} that is interrupted keeps the previous file and leaves no partial one`, async () => {
    writeFileSync(join(folder, file), 'that of yesterday')
    const before = readdirSync(folder)
    expect(await interrupted('', ...words)).toEqual({ code: 130, out: '', err: `${stopped}\n` })
    expect(readdirSync(folder)).toEqual(before)
    expect(readFileSync(join(folder, file), 'utf8')).toBe('that of yesterday')
  })

test('an interrupted doctor exits with 130 and reports no findings', async () => {
  expect(await interrupted('', 'doctor')).toEqual({ code: 130, out: '', err: `${stopped}\n` })
})

test('Ctrl-C at a question ends the command and does not count as “no”', async () => {
  let shown = ''
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'main.ts'), 'token', 'rotate'], {
    cwd: folder,
    env: terminal.environment,
    terminal: {
      data(_, bytes) {
        shown += Buffer.from(bytes).toString()
      },
    },
  })
  await until(async () => shown.includes('Make a new token?'))
  child.terminal?.write('\u0003')
  expect(await child.exited).toBe(130)
  await until(async () => shown.includes(stopped))
  expect(shown).not.toContain('The token stays as it is.')
})

test('Ctrl-C ends a command that waits for another process’s migrations', async () => {
  const outcome = await db.sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(${lockIds.migrationTurns})`
    const isWaiting = async () => {
      await tx`select pg_stat_clear_snapshot()`
      const waiting = await tx`
        select from pg_stat_activity
        where datname = current_database() and application_name = 'nocturne migration' and query like '%pg_stat_activity%'`
      return waiting.length > 0
    }
    return terminal.interruptWhen(isWaiting, '', 'db', 'status')
  })
  expect(outcome).toMatchObject({ code: 130, out: '', err: expect.stringContaining(stopped) })
})
