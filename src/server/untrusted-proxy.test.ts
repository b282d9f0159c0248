import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { createLog } from '#src/process/log'
import { createApp } from '#src/server/app'
import { listUntrustedProxies } from '#src/server/untrusted-proxy'
import { browser, testApp } from '#src/testing/app'

const { services } = await testApp()
const { db } = services

/** A server, and the lines that it logs about proxies. */
function serverWithLog(environment: Partial<typeof services.env> = {}) {
  const lines: string[] = []
  const log = createLog('warn', (line) => {
    if (line.includes('TRUST_PROXY')) lines.push(line)
  })
  const app = createApp({ ...services, log, env: { ...services.env, ...environment } })
  const request = (peer: string, headers: Record<string, string> = {}) =>
    browser(app, peer).call('/healthz', { headers })
  return { lines, request }
}

/** Waits for a proxy in the list, and returns the list: proxies are written without delaying a request. */
async function listWith(proxy: string): Promise<string[]> {
  for (let time = 0; time < 1_000; time += 1) {
    const listed = (await listUntrustedProxies(db, services.env)).map((each) => each.proxy)
    if (listed.includes(proxy)) return listed
  }
  throw new Error(`${proxy} was not listed.`)
}

test('an untrusted proxy is logged once with the variable to set, and listed until its record expires', async () => {
  const { lines, request } = serverWithLog()
  for (let time = 0; time < 5; time += 1) await request('127.0.0.1', { 'x-forwarded-for': `8.8.8.${time}` })
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain('TRUST_PROXY=127.0.0.1')
  expect(lines[0]).not.toContain('8.8.8')
  expect(await listWith('127.0.0.1')).toEqual(['127.0.0.1'])
  expect(await listUntrustedProxies(db, { trustProxy: ['127.0.0.0/8'] })).toEqual([])
  // Records expire, so that a removed proxy is no longer reported.
  await db.execute(sql`update throttles set expires_at = now()`)
  expect(await listUntrustedProxies(db, services.env)).toEqual([])
})

test('requests without proxy headers or from a trusted proxy log nothing', async () => {
  const { lines, request } = serverWithLog({ trustProxy: ['10.0.0.0/8'] })
  await request('127.0.0.1')
  await request('10.0.0.1', { 'x-forwarded-for': '8.8.8.8', via: '1.1 proxy' })
  expect(lines).toEqual([])
})

test('proxy headers forged by public clients never suggest trusting them, and logging is limited', async () => {
  await db.execute(sql`delete from throttles`)
  const { lines, request } = serverWithLog()
  for (let time = 0; time < 20; time += 1) await request(`8.8.4.${time}`, { via: '1.1 me' })
  expect(lines).toHaveLength(1)
  expect(lines[0]).not.toContain('8.8.4')
  for (let time = 0; time < 20; time += 1) await request(`192.168.0.${time}`, { via: '1.1 me' })
  expect(lines).toHaveLength(5)
  expect(await listWith('192.168.0.3')).not.toContain('8.8.4.0')
})
