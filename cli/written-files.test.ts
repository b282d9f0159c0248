import { expect, test } from 'bun:test'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { testTerminal } from '#cli/testing'
import { users } from '#db/schema'
import { publish } from '#src/story/publish'

const terminal = await testTerminal()
const { db, folder, run, type } = terminal
await db.insert(users).values([{ email: 'mara@example.com' }, { email: 'ines@example.com' }])
await publish(db, {
  title: 'The lamp',
  content: 'She lit the lamp. '.repeat(200),
  categories: ['romantic'],
  voice: 'female',
})

const present = 'the export of last week\n'
/** Returns the names in the folder, including unfinished files, without DATA_DIR. */
const names = () =>
  readdirSync(folder)
    .filter((name) => name !== 'data')
    .sort()

for (const [what, command, file] of [
  ['the library', 'stories export --out library.csv', 'library.csv'],
  ['a member', 'members export mara@example.com --out mara.zip', 'mara.zip'],
] as const)
  test(`an export of ${what} that runs out of space keeps the existing file and leaves no partial one`, async () => {
    writeFileSync(join(folder, file), present)
    const before = names()
    // `ulimit -f 1` limits a file to one kilobyte.
    const full = await type(`ulimit -f 1; nocturne ${command}`)
    expect(full).toMatchObject({ code: 1, out: '', err: expect.stringContaining(`no room for ${file}`) })
    expect(readFileSync(join(folder, file), 'utf8')).toBe(present)
    expect(names()).toEqual(before)
  })

test('a member’s export is readable by the file’s owner alone, and does not overwrite another export', async () => {
  const exported = await run('members', 'export', 'mara@example.com')
  const file = exported.out.trim()
  expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600)
  const other = await run('members', 'export', 'ines@example.com')
  expect(other).toMatchObject({ code: 1, err: `${file} is there already. Name another file with --out.\n` })
  expect((await run('members', 'export', 'ines@example.com', '--out', 'ines.zip')).out).toBe('ines.zip\n')
})

test('“-” is rejected as the name of a binary file', async () => {
  for (const words of [
    ['backup', '-'],
    ['members', 'export', 'mara@example.com', '--out', '-'],
  ])
    expect(await run(...words)).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('Name a file'),
    })
  expect(names()).not.toContain('-')
})

test('an export writes into a pipe', async () => {
  const piped = await type(
    `nocturne members export mara@example.com --out >(head -c 2 > begins; cat > rest); wait $!`,
  )
  expect(piped.code).toBe(0)
  expect(readFileSync(join(folder, 'begins'), 'utf8')).toBe('PK')
})

test('an export writes through a symbolic link, keeps the mode of its target, and writes to /dev/fd/1', async () => {
  const [store, link] = [join(folder, 'data', 'store'), join(folder, 'linked.csv')]
  mkdirSync(store, { recursive: true })
  writeFileSync(join(store, 'linked.csv'), present)
  chmodSync(join(store, 'linked.csv'), 0o600)
  symlinkSync(join(store, 'linked.csv'), link)
  expect((await run('stories', 'export', '--out', 'linked.csv')).code).toBe(0)
  expect(lstatSync(link).isSymbolicLink()).toBe(true)
  expect(readFileSync(link, 'utf8')).toContain('She lit the lamp.')
  expect(statSync(link).mode & 0o777).toBe(0o600)
  // /dev/fd/1 is standard output, which the shell has redirected to a file.
  expect((await type('nocturne stories export --out /dev/fd/1 --format csv > out.csv')).code).toBe(0)
  expect(readFileSync(join(folder, 'out.csv'), 'utf8')).toContain('She lit the lamp.')
})
