import { beforeEach, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { idempotentCalls, stories } from '#db/schema'
import {
  type Browser,
  browser,
  memberBrowser,
  operatorBrowser,
  operatorToken,
  testApp,
} from '#src/testing/app'
import { pruneIdempotentCalls } from './idempotent-call'

const { app, services } = await testApp()
const { db } = services
const operator = await operatorBrowser(app)
const mara = await memberBrowser(app, 'mara@example.com')
const noa = await memberBrowser(app, 'noa@example.com', '127.0.0.2')
beforeEach(async () => void (await db.execute(sql`truncate stories, idempotent_calls cascade`)))

const draft = {
  title: 'The Pier',
  content: 'We sat there until the lamps went out.',
  categories: ['romantic'],
}
const make = (as: Browser, key: string, json: object = draft, path = '/api/user/content') =>
  as.call(path, { json, headers: { 'idempotency-key': key } })
const countItems = () => db.$count(stories)

test('a call repeated with its Idempotency-Key runs once and replays the response', async () => {
  const first = await make(mara, 'a')
  const again = await make(mara, 'a')
  expect([first.status, again.status]).toEqual([201, 201])
  expect(await again.text()).toBe(await first.text())
  expect(again.headers.get('etag')).toBe(first.headers.get('etag'))
  expect([first, again].map(({ headers }) => headers.get('idempotency-replayed'))).toEqual([null, 'true'])
  expect(await countItems()).toBe(1)
})

test('only one of ten concurrent calls with one key runs; the others get its response or 409', async () => {
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => make(operator, 'b', draft, '/api/premium-content')),
  )
  expect(await countItems()).toBe(1)
  for (const { status, headers } of answers)
    expect(status === 201 || (status === 409 && headers.get('retry-after') === '1')).toBe(true)
  expect(
    answers.filter(({ status, headers }) => status === 201 && !headers.has('idempotency-replayed')),
  ).toHaveLength(1)
  expect((await make(operator, 'b', draft, '/api/premium-content')).status).toBe(201)
})

test('an idempotency key is scoped to one caller, call and body', async () => {
  expect((await make(mara, 'c')).status).toBe(201)
  expect((await make(noa, 'c')).status).toBe(201)
  // A key does not distinguish an operator's session from a token: both are the same caller.
  expect((await make(operator, 'c', draft, '/api/premium-content')).status).toBe(201)
  const byToken = await browser(app).call('/api/premium-content', {
    json: draft,
    headers: { 'idempotency-key': 'c', authorization: `Bearer ${operatorToken}` },
  })
  expect(byToken.headers.get('idempotency-replayed')).toBe('true')
  const other = await make(mara, 'c', { ...draft, title: 'The Quay' })
  expect(other.status).toBe(422)
  expect((await other.json()).fields).toEqual([{ path: 'Idempotency-Key', message: 'Used for another call' }])
  expect((await make(mara, 'two words')).status).toBe(422)
  expect(await countItems()).toBe(3)
})

test('a rejected call frees its idempotency key, and an unauthorised call stores none', async () => {
  expect((await make(mara, 'd', { ...draft, title: '' })).status).toBe(422)
  expect((await make(mara, 'd')).status).toBe(201)
  expect((await make(browser(app), 'd')).status).toBe(401)
  expect((await make(mara, 'e', draft, '/api/premium-content')).status).toBe(401)
  expect(await db.$count(idempotentCalls)).toBe(1)
})

test('a call that failed after its write returns 409 when repeated, and is not run again', async () => {
  await db.execute(sql`alter table favorites rename to favorites_away`)
  const lost = await make(mara, 'g').finally(() =>
    db.execute(sql`alter table favorites_away rename to favorites`),
  )
  expect([lost.status, await countItems()]).toEqual([500, 1])
  const again = await make(mara, 'g')
  expect(again.status).toBe(409)
  expect((await again.json()).message).toStartWith('It is unknown how the first call')
  expect(await countItems()).toBe(1)
})

test('a call with an unknown outcome returns 409 when repeated, and its key expires after a day', async () => {
  expect((await make(mara, 'f')).status).toBe(201)
  await db
    .update(idempotentCalls)
    .set({ status: null, answer: null, createdAt: sql`now() - interval '1 hour'` })
  const unknown = await make(mara, 'f')
  expect(unknown.status).toBe(409)
  expect((await unknown.json()).message).toStartWith('It is unknown how the first call')
  await db.update(idempotentCalls).set({ createdAt: sql`now() - interval '25 hours'` })
  expect((await make(mara, 'f', { ...draft, title: 'The Quay' })).status).toBe(201)
  await pruneIdempotentCalls(db)
  expect(await db.$count(idempotentCalls)).toBe(1)
  await db.update(idempotentCalls).set({ createdAt: sql`now() - interval '25 hours'` })
  await pruneIdempotentCalls(db)
  expect(await db.$count(idempotentCalls)).toBe(0)
})
