import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '#db/db'
import { emptyDatabaseUrl, testDatabaseUrl } from '#db/testing'
import { seedDemo } from '#src/demo/seed'
import { attachAudio } from '#src/narration/attach'
import { toneMp3 } from '#src/narration/testing'
import { folderStorage } from '#src/storage/storage'

const dir = mkdtempSync(join(tmpdir(), 'nocturne-cli-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))
const from = await testDatabaseUrl()
const to = await emptyDatabaseUrl()
const main = join(import.meta.dir, 'main.ts')

async function nocturne(url: string, dataDir: string, ...words: string[]) {
  const child = Bun.spawn([process.execPath, main, ...words], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, DATABASE_URL: url, DATA_DIR: join(dir, dataDir) },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { code: await child.exited, out, err }
}

test('backup, restore --check and restore copy a library with its audio to another instance', async () => {
  const file = join(dir, 'library.zip')
  const hash = await fillLibrary()

  const made = await nocturne(from, 'a', 'backup', file, '--json')
  expect(made).toMatchObject({ code: 0, err: expect.stringContaining('The file does not have the secrets') })
  expect(JSON.parse(made.out)).toMatchObject({ file, audioFiles: 1, audioMissing: [], hasSecrets: false })
  expect(await nocturne(from, 'a', 'backup', file)).toMatchObject({
    code: 1,
    out: '',
    err: `${file} is there already. Name another file, or add --force.\n`,
  })

  const checked = await nocturne(to, 'b', 'restore', file, '--check')
  expect(checked).toMatchObject({ code: 0, out: expect.stringContaining(`${file} is complete.`) })
  const restored = await nocturne(to, 'b', 'restore', file, '--json')
  expect(restored).toMatchObject({ code: 0, err: expect.stringContaining('another ENCRYPTION_KEY') })
  expect(JSON.parse(restored.out)).toMatchObject({ audioFiles: 1, missingAudio: [], opensSealed: false })
  expect(await folderStorage(join(dir, 'b/audio')).find({ hash, extension: 'mp3' })).not.toBeNull()

  const missing = '1 of 1 file of narrations is not in'
  expect((await nocturne(to, 'b', 'doctor')).out).not.toContain(missing)
  const elsewhere = await nocturne(to, 'mistyped', 'doctor')
  expect(elsewhere).toMatchObject({
    code: 1,
    out: expect.stringContaining(`bad  audio: ${missing} ${join(dir, 'mistyped/audio')}`),
  })

  expect(await nocturne(to, 'b', 'restore', file)).toMatchObject({
    code: 1,
    err: expect.stringContaining('Add --force'),
  })
  expect((await nocturne(to, 'b', 'restore', file, '--force')).code).toBe(0)
  expect((await nocturne(to, 'b', 'restore')).code).toBe(2)
  for (const command of ['backup', 'restore'])
    expect((await nocturne(to, 'b', command, '--help')).out).toContain('Example')
})

test('the check of a backup names the audio that is not in it', async () => {
  const file = join(dir, 'lost.zip')
  const lost = '0'.repeat(64)
  const db = openDatabase(from, { max: 1 })
  await db.sql`
    insert into audio_files (hash, extension, size_bytes, duration_seconds) values (${lost}, 'mp3', 10, 1)`
  await db.close()
  expect((await nocturne(from, 'a', 'backup', file)).code).toBe(0)
  const words = await nocturne(to, 'b', 'restore', file, '--check')
  expect(words).toMatchObject({ code: 0, err: expect.stringContaining(`Audio ${lost} was missing`) })
  const { out } = await nocturne(to, 'b', 'restore', file, '--check', '--json')
  expect(JSON.parse(out)).toMatchObject({ audioLeftOut: 0, audioMissing: [lost] })
})

async function fillLibrary(): Promise<string> {
  const db = openDatabase(from, { max: 1 })
  const storage = folderStorage(join(dir, 'a/audio'))
  await seedDemo(db)
  const mp3 = await toneMp3(1)
  const staged = await storage.receive(new Blob([mp3]).stream())
  const file = await storage.commit(staged, 'mp3')
  const [item] = await db.sql`select id from stories limit 1`
  await attachAudio(db, {
    storyId: item?.id,
    voice: 'female',
    file: { ...file, sizeBytes: staged.sizeBytes, durationSeconds: 1 },
    provider: 'built-in',
  })
  await db.close()
  return file.hash
}
