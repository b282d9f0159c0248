import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { table, visible } from '#cli/output'
import { testTerminal } from '#cli/testing'
import { betaSignups, users } from '#db/schema'
import { recordChange } from '#src/operator/audit'
import { until } from '#src/testing/until'

const { db, folder, environment, run, json, type } = await testTerminal()
const hostile = '\u001b[2J\u001b]52;c;cm0=\u0007\u009b31m\u007f\u202etxt'
const shown = '\\u{1b}[2J\\u{1b}]52;c;cm0=\\u{7}\\u{9b}31m\\u{7f}\\u{202e}txt'

await db.insert(betaSignups).values({ email: `${hostile}@example.com`, source: `a\nforged@example.com\r` })
await db.insert(users).values({ email: 'mara@example.com', firstName: hostile })
await recordChange(db, hostile, { action: 'login', subjectType: 'operator' })

test('control characters in stored text are escaped in lists and messages', async () => {
  writeFileSync(join(folder, 'hostile.csv'), `title,type,text,voice\nThe Pier,story,She lit it.,${hostile}\n`)
  const all = [
    await run('beta', 'list'),
    await run('members', 'list'),
    await run('audit', 'list'),
    await run('stories', 'import', 'hostile.csv', '--dry-run'),
    await run('narrate', hostile, '--queue'),
  ]
  for (const { out, err } of all) {
    expect(`${out}${err}`).toContain(shown.slice(0, 20))
    expect(`${out}${err}`).not.toMatch(/(?!\n)\p{Cc}|\u202e/u)
  }
  expect(all[0]?.out).toContain(`${shown}@example.com`)
  expect(all[0]?.out).toMatch(/a\\u\{a\}forged@example\.com\\u\{d\} {2}/)
  expect(all[0]?.out.trim().split('\n')).toHaveLength(2)
})

test('JSON escapes control characters without loss, and a piped export contains the original bytes', async () => {
  const { out } = await run('beta', 'list', '--json')
  expect(out).not.toMatch(/(?!\n)\p{Cc}|\u202e/u)
  expect(JSON.parse(out)).toMatchObject([
    { email: `${hostile}@example.com`, source: 'a\nforged@example.com\r' },
  ])
  expect(await json('members', 'list')).toMatchObject([{ firstName: hostile }])
  expect((await run('beta', 'export')).out).toContain(`${hostile}@example.com`)
})

test('an export printed to a terminal has its control characters escaped', async () => {
  const pieces: Uint8Array[] = []
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'main.ts'), 'beta', 'export'], {
    cwd: folder,
    env: environment,
    terminal: { data: (_, bytes) => void pieces.push(bytes) },
  })
  expect(await child.exited).toBe(0)
  await until(async () => Buffer.concat(pieces).toString().includes('Exported'))
  expect(Buffer.concat(pieces).toString()).toContain(shown)
})

test('tabs, line breaks and letters of every script are not escaped', () => {
  const text = 'Ein\tTag\r\nערב טוב, शुभ रात्रि 👩‍👧 e\u0301\n'
  expect(visible(text)).toBe(text)
  expect(table([['a\r\nb', 'c']])).toEqual(['a\\u{d}\\u{a}b  c'])
})

test('a slow pipe reader gets the whole output, and one that closes early causes no error', async () => {
  await db.insert(users).values(Array.from({ length: 2_000 }, (_, at) => ({ email: `${at}@example.com` })))
  const late = await type(
    'nocturne members list --limit 5000 --json 2>note | { until [ -s note ]; do :; done; cat; }',
  )
  expect(JSON.parse(late.out)).toHaveLength(2_001)
  for (const words of [
    'members list --limit 5000',
    'beta export',
    'stories export',
    'audit export',
    '--help',
  ])
    expect(await type(`set -o pipefail; nocturne ${words} 2>note | head -c 1; cat note >&2`)).toMatchObject({
      err: expect.not.stringMatching(/EPIPE|at .*:\d+/),
    })
  const { out } = await type('set -o pipefail; nocturne members list --limit 5000 | head -c 1 >one; echo $?')
  expect(out).toBe('0\n')
  const bad = await type('set -o pipefail; PORT=odd nocturne doctor | head -c 1 >one; echo $?')
  expect(bad.out).toBe('1\n')
})

test('a command exits with 1 when standard output cannot be written', async () => {
  const { code, err } = await type('nocturne beta list >/dev/full')
  expect(code).toBe(1)
  expect(err).toContain('disk')
})

test('a command exits with 2 instead of asking for confirmation when standard output is a pipe', async () => {
  const child = Bun.spawn(
    [
      'bash',
      '-c',
      'set -o pipefail; "$@" | cat >asked',
      '-',
      process.execPath,
      join(import.meta.dir, 'main.ts'),
      'analytics',
      'prune',
      '--json',
    ],
    { cwd: folder, env: environment, terminal: { data: () => {} } },
  )
  expect(await child.exited).toBe(2)
  expect(await Bun.file(join(folder, 'asked')).json()).toMatchObject({
    code: 'usage',
    error: expect.stringContaining('--yes'),
  })
})
