import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testDatabaseUrl } from '#db/testing'
import { build } from '#scripts/build'

/** The program as people start it: a process of its own, with nothing but an environment. */
const root = join(import.meta.dir, '..')
const dataDir = mkdtempSync(join(tmpdir(), 'nocturne-start-'))
const running = new Set<Bun.Subprocess>()

beforeAll(async () => {
  if (!existsSync(join(root, '.build/manifest.json'))) await build()
})
afterAll(() => {
  for (const child of running) child.kill('SIGKILL')
  rmSync(dataDir, { recursive: true, force: true })
})

type Started = { url: string; said: string; stop(): Promise<number> }

/** Starts the program and waits until it has said where it is. */
async function start(environment: Record<string, string>): Promise<Started> {
  const child = run(environment)
  let said = ''
  const decoder = new TextDecoder()
  for await (const chunk of child.stdout) {
    said += decoder.decode(chunk, { stream: true })
    if (/api\/docs\n[\s\S]*\n$/.test(said)) break
  }
  const url = /is open at (\S+)/.exec(said)?.[1]
  if (!url) throw new Error(`The program did not start: ${said}${await new Response(child.stderr).text()}`)
  return {
    url,
    said,
    // Both, as through npx: a terminal's signal comes from it, and once more from the program above.
    async stop() {
      child.kill('SIGINT')
      child.kill('SIGTERM')
      return child.exited
    },
  }
}

function run(environment: Record<string, string>) {
  const child = Bun.spawn([process.execPath, 'src/server.ts'], {
    cwd: root,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '',
      PORT: '0',
      AGE_GATE: 'off',
      DATA_DIR: dataDir,
      ...environment,
    },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  running.add(child)
  void child.exited.then(() => running.delete(child))
  return child
}

test('from nothing it serves a library, says where, and is there again after a stop', async () => {
  const first = await start({})
  expect(first.said).toContain(`${first.url}/api/docs`)
  expect((await fetch(`${first.url}/readyz`)).status).toBe(200)

  const tokenFile = join(dataDir, 'admin-token')
  expect(first.said).toContain(tokenFile)
  expect(statSync(tokenFile).mode & 0o777).toBe(0o600)
  const token = readFileSync(tokenFile, 'utf8').trim()
  expect(token.length).toBeGreaterThanOrEqual(32)
  expect(first.said).not.toContain(token)
  const asOperator = { headers: { authorization: `Bearer ${token}` } }
  const stats = await (await fetch(`${first.url}/api/premium-content-stats`, asOperator)).json()
  expect(stats.totalStories).toBeGreaterThanOrEqual(24)
  expect(stats.totalFlows).toBeGreaterThanOrEqual(8)
  expect(await (await fetch(`${first.url}/api/content/categories`)).json()).toHaveLength(7)

  const page = await (await fetch(first.url)).text()
  const [, styles] = /<link rel="stylesheet" href="([^"]+)"/.exec(page) ?? []
  const asset = await fetch(first.url + styles)
  expect(asset.status).toBe(200)
  expect(asset.headers.get('cache-control')).toContain('immutable')

  const title = 'Kept over the night'
  const made = await fetch(`${first.url}/api/stories`, {
    method: 'POST',
    headers: { ...asOperator.headers, 'content-type': 'application/json' },
    body: JSON.stringify({ title, content: 'Still here in the morning.' }),
  })
  expect(made.status).toBe(201)
  expect(await first.stop()).toBe(0)

  const second = await start({})
  const kept = await (await fetch(`${second.url}/api/content?q=kept`)).json()
  expect(kept.map((item: { title: string }) => item.title)).toEqual([title])
  expect((await fetch(`${second.url}/api/premium-content-stats`, asOperator)).status).toBe(200)
  expect(await second.stop()).toBe(0)
}, 120_000)

test('with DEMO=off the library is empty, and with ADMIN_TOKEN no token is made', async () => {
  const own = join(dataDir, 'empty')
  const { url, said, stop } = await start({
    DATA_DIR: own,
    DATABASE_URL: await testDatabaseUrl(),
    DEMO: 'off',
    ADMIN_TOKEN: 'a token from outside',
  })
  expect(await (await fetch(`${url}/api/content`)).json()).toEqual([])
  expect(said).not.toContain('admin-token')
  expect(existsSync(join(own, 'admin-token'))).toBe(false)
  expect(await stop()).toBe(0)
}, 60_000)

test('a wrong variable ends the start, with its name and what it takes', async () => {
  const child = run({ PORT: 'eighty', DEMO: 'maybe', ADMIN_TOKEN: 'short' })
  const [code, said, complaint] = await Promise.all([
    child.exited,
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  expect(code).toBe(1)
  expect(said).toBe('')
  expect(complaint).toContain('PORT is "eighty": it takes a whole number from 0 to 65535.')
  expect(complaint).toContain('DEMO is "maybe": it takes one of on, off.')
  expect(complaint).toContain('ADMIN_TOKEN is not usable: it takes at least 8 characters.')
  expect(complaint).not.toMatch(/short"|\bat .*\(/)
})

test('a database that does not answer ends the start, without its password', async () => {
  const child = run({ DATABASE_URL: 'postgres://nocturne:hunter2@127.0.0.1:1/nocturne' })
  expect(await child.exited).toBe(1)
  expect(await new Response(child.stderr).text()).toMatch(
    /^Nocturne cannot start: the database of DATABASE_URL does not answer\. [^\n]+\n$/,
  )
})

test('a port that is taken ends the start', async () => {
  const taken = Bun.serve({ port: 0, hostname: '0.0.0.0', fetch: () => new Response('') })
  const child = run({
    PORT: String(taken.port),
    DATABASE_URL: await testDatabaseUrl(),
    DATA_DIR: join(dataDir, 'taken'),
    DEMO: 'off',
  })
  expect(await child.exited).toBe(1)
  expect(await new Response(child.stderr).text()).toBe(
    `Nocturne cannot start: another program has port ${taken.port}. Stop it, or set PORT to another one.\n`,
  )
  await taken.stop(true)
}, 60_000)
