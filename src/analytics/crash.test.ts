import { afterAll, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { openDatabase } from '#db/db'
import { testDatabaseUrl } from '#db/testing'
import { programStarter } from '#src/server/testing-program'
import { operatorToken } from '#src/testing/app'
import { until } from '#src/testing/until'
import { rollUp } from './rollup'
import type { EventReport } from './schema'
import { event } from './testing'

/** Kills the server six times while events arrive. Acknowledged events are stored and counted, and none twice. */
const url = await testDatabaseUrl()
const { start } = await programStarter()
const db = openDatabase(url, { max: 2 })
afterAll(() => db.close())

const startServer = () =>
  start({
    DATABASE_URL: url,
    DEMO: 'off',
    TRUST_PROXY: '127.0.0.1',
    ADMIN_TOKEN: operatorToken,
  })

/** Sends a batch. Returns whether it was acknowledged; otherwise it has to be sent again. */
async function send(
  origin: string,
  cookie: string,
  events: readonly EventReport[],
  from: string,
): Promise<boolean> {
  return fetch(`${origin}/api/analytics/events`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'sec-fetch-site': 'same-origin',
      'x-forwarded-for': from,
      cookie,
    },
    body: JSON.stringify({ events }),
  }).then(
    async (response) => response.ok && (await response.json()).dropped !== undefined,
    () => false,
  )
}

test('no acknowledged event is lost or stored twice across six server kills', async () => {
  const acknowledged: string[] = []
  const unanswered: EventReport[][] = []
  let cookie = ''
  for (let round = 0; round < 6; round += 1) {
    const server = await startServer()
    if (!cookie) {
      const session = await fetch(`${server.url}/api/analytics/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"consent":true}',
      })
      cookie = session.headers.get('set-cookie')?.split(';')[0] ?? ''
    }
    let isKilled = false
    // Determined by the number of acknowledged events and not by the clock, since a busy machine acknowledges few per
    // second.
    const killAt = acknowledged.length + 60 * (1 + round)
    const senders = Array.from({ length: 8 }, async (_, n) => {
      while (!isKilled) {
        // Batches without an answer are sent again, between new ones.
        const batch = unanswered.shift() ?? Array.from({ length: 10 }, () => event())
        if (await send(server.url, cookie, batch, `10.3.${round}.${n}`))
          acknowledged.push(...batch.map(({ id }) => id ?? ''))
        else unanswered.push(batch)
      }
    })
    // Events are counted while more arrive.
    await rollUp(db)
    await until(() => acknowledged.length >= killAt)
    const killed = server.kill()
    isKilled = true
    await Promise.all([killed, ...senders])
  }
  const server = await startServer()
  for (const batch of unanswered) {
    expect(await send(server.url, cookie, batch, '10.3.99.1')).toBe(true)
    acknowledged.push(...batch.map(({ id }) => id ?? ''))
  }
  expect(await server.stop()).toBe(0)
  const stored = await db.execute<{ id: string }>(sql`select id::text from analytics_events`)
  expect(acknowledged.length).toBeGreaterThan(1_000)
  expect(stored.map(({ id }) => id).sort()).toEqual([...new Set(acknowledged)].sort())
  expect(stored).toHaveLength(acknowledged.length)
  await rollUp(db)
  const [counted] = await db.execute<{ events: number }>(
    sql`select sum(events)::int as events from analytics_days where category = 'all'`,
  )
  expect(counted?.events).toBe(acknowledged.length)
})
