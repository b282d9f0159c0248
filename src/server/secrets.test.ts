import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { connect } from '#db/connect'
import { testDatabaseUrl } from '#db/testing'
import { programStarter } from './testing-program'

/** Instances on one database, each with its own folder, as on separate machines. */
const { dataDir, start, complaintOf } = await programStarter()

const session = 'a session secret, the same for every instance'
const encryption = 'an encryption key, the same for every instance'
const vapid = 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'

function environmentOf(url: string, name: string) {
  return { DATABASE_URL: url, DATA_DIR: join(dataDir, name), DEMO: 'off' }
}

test('an instance with different secrets does not start, and names the variables to set', async () => {
  const url = await testDatabaseUrl()
  const secrets = { SESSION_SECRET: session, ENCRYPTION_KEY: encryption, VAPID_PRIVATE_KEY: vapid }
  const first = await start({ ...environmentOf(url, 'one'), ...secrets })

  const two = environmentOf(url, 'two')
  expect(await complaintOf(two)).toBe(
    'Nocturne cannot start. SESSION_SECRET, ENCRYPTION_KEY and VAPID_PRIVATE_KEY are not the ones that this library was made with. Set what its other instances have, or copy session-secret, encryption-key and push-key from their DATA_DIR. If the change is intended, run: nocturne secrets accept.\n',
  )
  const other = 'another session secret, of 32 characters'
  const complaint = await complaintOf({ ...two, ...secrets, SESSION_SECRET: other })
  expect(complaint).toStartWith('Nocturne cannot start. SESSION_SECRET is not the one that this library')
  expect(complaint).not.toContain(other)

  const second = await start({ ...two, ...secrets })
  expect((await fetch(`${second.url}/readyz`)).status).toBe(200)
  expect(await Promise.all([first.stop(), second.stop()])).toEqual([0, 0])

  const sql = connect(url, { max: 1 })
  const kept = JSON.stringify(await sql`select * from secret_fingerprints`)
  await sql.end()
  for (const secret of Object.values(secrets)) expect(kept).not.toContain(secret)
})

test('nocturne secrets accept records secrets that were changed on purpose', async () => {
  const url = await testDatabaseUrl()
  const before = environmentOf(url, 'before')
  const after = environmentOf(url, 'after')
  expect((await nocturne(before, 'db', 'status')).code).toBe(0)
  const refused = await nocturne(after, 'db', 'status')
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('run: nocturne secrets accept.')])

  expect((await nocturne(after, 'secrets', 'accept')).code).toBe(2)
  expect(await nocturne(after, 'secrets', 'accept', '--yes')).toMatchObject({
    code: 0,
    out: 'SESSION_SECRET, ENCRYPTION_KEY, VAPID_PRIVATE_KEY accepted. Restart every instance with it.\n',
  })

  expect((await nocturne(after, 'db', 'status')).code).toBe(0)
  expect((await nocturne(before, 'db', 'status')).code).toBe(1)
  const { out } = await nocturne(after, 'audit', 'list')
  expect(out).toMatch(/accept.*secrets/)
})

async function nocturne(environment: Record<string, string>, ...words: string[]) {
  const child = Bun.spawn([process.execPath, 'cli/main.ts', ...words], {
    cwd: join(import.meta.dir, '../..'),
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...environment },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { out, err, code: await child.exited }
}
