import { expect, test } from 'bun:test'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { testDatabaseUrl } from '#db/testing'
import { serverProgram } from '#scripts/bundle-server'
import packageJson from '../../package.json'
import { programStarter } from './testing-program'

const { dataDir, run, start, complaintOf } = await programStarter()

test('the first start sets up a demo library, and a restart keeps its items and token', async () => {
  const first = await start({})
  expect(first.output).toContain(`${first.url}/api/docs`)
  expect((await fetch(`${first.url}/readyz`)).status).toBe(200)

  const tokenFile = join(dataDir, 'admin-token')
  expect(first.output).toContain(tokenFile)
  expect(statSync(tokenFile).mode & 0o777).toBe(0o600)
  const token = readFileSync(tokenFile, 'utf8').trim()
  expect(token.length).toBeGreaterThanOrEqual(32)
  expect(first.output).not.toContain(token)
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
  const found = await (await fetch(`${second.url}/api/content?q=kept`)).json()
  expect(found.map((item: { title: string }) => item.title)).toEqual([title])
  expect((await fetch(`${second.url}/api/premium-content-stats`, asOperator)).status).toBe(200)
  expect(await second.stop()).toBe(0)
})

test('an unusable HOST or DATA_DIR stops the start with one sentence', async () => {
  const own = { DATABASE_URL: await testDatabaseUrl(), DEMO: 'off', DATA_DIR: join(dataDir, 'unreachable') }
  for (const HOST of ['203.0.113.7', 'nowhere.invalid'])
    expect(await complaintOf({ ...own, HOST })).toMatch(
      new RegExp(
        `^Nocturne cannot start: nothing can listen at ${HOST}, port \\d+ \\(E\\w+\\)\\. [^\\n]+\\n$`,
      ),
    )
  const file = join(dataDir, 'a-file')
  await Bun.write(file, 'no folder')
  for (const DATA_DIR of [file, join(file, 'within')])
    expect(await complaintOf({ ...own, DATA_DIR })).toMatch(
      /^Nocturne cannot start: DATA_DIR cannot be written \(E\w+: [^\n]+a-file[^\n]*\)\. Make [^\n]+\n$/,
    )
})

test('DEMO=off starts with an empty library, and ADMIN_TOKEN prevents a generated token', async () => {
  const own = join(dataDir, 'empty')
  const { url, output, stop } = await start({
    DATA_DIR: own,
    DATABASE_URL: await testDatabaseUrl(),
    DEMO: 'off',
    ADMIN_TOKEN: 'a token from outside, of 32 characters',
  })
  expect(await (await fetch(`${url}/api/content`)).json()).toEqual([])
  expect(output).not.toContain('admin-token')
  expect(existsSync(join(own, 'admin-token'))).toBe(false)
  expect(await stop()).toBe(0)
})

const steps: string[] = packageJson.scripts.start.split(' && ')
const [, entryOfCheck = ''] = steps.find((step) => step.includes('check-env'))?.match(/(\S+\.ts)$/) ?? []

test('the start script checks the environment before the build', () => {
  const names = ['install', 'check-env', 'run build', 'main']
  expect(steps.map((step) => names.find((name) => step.includes(name)) ?? step)).toEqual(names)
})

test.each([[serverProgram], [entryOfCheck]])(
  '%s stops on invalid variables, naming each and what it takes',
  async (entry) => {
    const child = run({ PORT: 'eighty', DEMO: 'maybe', ADMIN_TOKEN: 'short' }, entry)
    const [code, output, complaint] = await Promise.all([
      child.exited,
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ])
    expect(code).toBe(1)
    expect(output).toBe('')
    expect(complaint).toContain('PORT is "eighty": it takes a whole number from 0 to 65535.')
    expect(complaint).toContain('DEMO is "maybe": it takes one of on, off.')
    expect(complaint).toContain(
      'ADMIN_TOKEN is not usable: it takes at least 32 random characters. `openssl rand -base64 32` makes some.',
    )
    expect(complaint).not.toMatch(/short"|\bat .*\(/)
  },
)

test('an unreachable database stops the start without printing its password', async () => {
  for (const host of ['127.0.0.1:1', 'nowhere.invalid'])
    expect(await complaintOf({ DATABASE_URL: `postgres://nocturne:hunter2@${host}/nocturne` })).toMatch(
      /^Nocturne cannot start: the database of DATABASE_URL does not answer\. [^\n]+\n$/,
    )
})

test('a port in use stops the start', async () => {
  const taken = Bun.serve({ port: 0, hostname: '0.0.0.0', fetch: () => new Response('') })
  const complaint = await complaintOf({
    PORT: String(taken.port),
    DATABASE_URL: await testDatabaseUrl(),
    DATA_DIR: join(dataDir, 'taken'),
    DEMO: 'off',
  })
  expect(complaint).toBe(
    `Nocturne cannot start: another program has port ${taken.port}. Stop it, or set PORT to another one.\n`,
  )
  await taken.stop(true)
})
