import { describe, expect, test } from 'bun:test'
import { desc, sql } from 'drizzle-orm'
import { unzipSync } from 'fflate'
import { newId } from '#db/columns'
import { auditLog, users } from '#db/schema'
import { browser, memberBrowser, operatorBrowser, operatorToken, testApp } from '#src/testing/app'

const { app, services } = await testApp()
const { db } = services
const password = 'lanterns on the water'
const operator = await operatorBrowser(app)
let members = 0
/** A new member with an IP address of their own. */
async function member(email: string) {
  members += 1
  const who = await memberBrowser(app, email, `10.30.0.${members}`)
  const { id } = who
  return { who, id: id as string, email }
}
const signIn = (email: string) =>
  browser(app, `10.31.0.${++members}`).call('/api/auth/login', { json: { email, password } })
const mara = await member('mara@example.com')
const ines = await member('ines@example.com')

const calls: [string, { method?: string; json?: unknown }][] = [
  ['/api/members', {}],
  [`/api/members/${mara.id}`, {}],
  [`/api/members/${mara.id}/export`, {}],
  [`/api/members/${mara.id}/suspension`, { json: { reason: 'No' } }],
  [`/api/members/${mara.id}/suspension`, { method: 'DELETE' }],
  [`/api/members/${mara.id}/sessions`, { method: 'DELETE' }],
  [`/api/members/${mara.id}`, { method: 'DELETE', json: { email: mara.email } }],
]

test('member administration returns 401 to visitors and members, and 404 for an unknown member', async () => {
  for (const [path, call] of calls) {
    for (const who of [browser(app), mara.who, ines.who]) {
      const response = await who.call(path, call)
      expect(`${path} ${response.status}`).toBe(`${path} 401`)
      expect(await response.text()).not.toContain('mara@')
    }
    const nobody = path.replace(mara.id, newId())
    if (nobody !== path)
      expect(
        (await operator.call(nobody, { ...call, method: call.method ?? (call.json ? 'POST' : 'GET') }))
          .status,
      ).toBe(404)
  }
  expect(await mara.who.json('/api/auth/user')).toMatchObject({ id: mara.id })
  const bearer = { authorization: `Bearer ${operatorToken}` }
  expect((await browser(app).call('/api/members', { headers: bearer })).status).toBe(200)
})

describe('member search', () => {
  test('matches ids and prefixes of email and names, ignoring case and accents', async () => {
    await db
      .insert(users)
      .values({ email: 'jo.lindqvist+stories@post.example', firstName: 'Zoë', lastName: "O'Hara" })
    const find = async (q: string) =>
      (await operator.json(`/api/members?q=${encodeURIComponent(q)}`)).map(
        ({ email }: { email: string }) => email,
      )
    for (const q of [
      'lindq',
      'jo.lindqvist+stories@post.example',
      'JO.LIND',
      'zoe',
      'ZOË',
      'hara',
      "o'h",
      'zoe hara',
      'post.exam',
    ])
      expect([q, await find(q)]).toEqual([q, ['jo.lindqvist+stories@post.example']])
    expect(await find(mara.id)).toEqual(['mara@example.com'])
    for (const q of ['indqvist', 'zoe smith', "' or 1=1 --", '%', newId()])
      expect([q, await find(q)]).toEqual([q, []])
  })

  test('pages through all members, newest first, each once', async () => {
    const seen: string[] = []
    let path: string | null = '/api/members?limit=2'
    while (path) {
      const response = await operator.call(path)
      expect(response.headers.get('x-total-count')).toBe('3')
      seen.push(...(await response.json()).map(({ id }: { id: string }) => id))
      const next: URL | null = URL.parse(response.headers.get('link')?.match(/<(.+)>/)?.[1] ?? '')
      path = next && next.pathname + next.search
    }
    const rows = await db.select({ id: users.id }).from(users).orderBy(desc(users.id))
    expect(seen).toEqual(rows.map(({ id }) => id))
    const [found] = await operator.json('/api/members?q=mara')
    expect(found).toEqual({
      id: mara.id,
      email: 'mara@example.com',
      firstName: null,
      lastName: null,
      oauthProvider: null,
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
      lastSeenAt: expect.stringMatching(/Z$/),
      suspendedAt: null,
      suspensionReason: null,
    })
  })

  test('rejects an invalid limit, state or cursor and a query that is too long', async () => {
    for (const query of ['limit=0', 'limit=101', 'limit=x', 'state=gone', 'cursor=x', `q=${'x'.repeat(300)}`])
      expect((await operator.call(`/api/members?${query}`)).status).toBe(422)
  })

  test('uses the search index and stops counting at 10,000', async () => {
    await db.execute(sql`
      insert into users (id, email, first_name, last_name)
      select gen_random_uuid(), 'crowd' || n || '@example.org', 'First' || n, 'Last' || n from generate_series(1, 20000) as n`)
    await db.execute(sql`analyze users`)
    const plan = await db.execute<{ 'QUERY PLAN': string }>(
      sql`explain select id from users where search @@ to_tsquery('simple', 'crowd19999:*') order by users.id::text desc limit 51`,
    )
    expect(plan.map((row) => row['QUERY PLAN']).join('\n')).toContain('users_search')
    const response = await operator.call('/api/members?q=crowd')
    expect([response.headers.get('x-total-count'), response.headers.get('x-total-count-relation')]).toEqual([
      '10000',
      'gte',
    ])
    await db.execute(sql`delete from users where email like 'crowd%'`)
  })
})

test('a member’s details include sessions and counts, never the password hash', async () => {
  await mara.who.call('/api/user/content', {
    json: { title: 'The Pier', content: 'They sat.', categories: ['romantic'] },
  })
  const response = await operator.call(`/api/members/${mara.id}`)
  const text = await response.text()
  expect(text).not.toContain('argon2')
  expect(JSON.parse(text)).toMatchObject({
    id: mara.id,
    sessions: [{ device: 'Unknown device', isCurrent: false }],
    counts: { items: 1, narrations: 0, favorites: 0, votes: 0, ratings: 0, challenges: 0, started: 0 },
  })
})

describe('suspended member', () => {
  test('is signed out at once, reads the reason at sign-in, and is listed as suspended', async () => {
    const { who, id, email } = await member('sue@example.com')
    const suspend = (reason: string) => operator.call(`/api/members/${id}/suspension`, { json: { reason } })
    for (const reason of ['', ' ', 'x'.repeat(501)]) expect((await suspend(reason)).status).toBe(422)
    expect((await suspend('Several reports of unkind comments')).status).toBe(201)
    expect(await who.json('/api/auth/user')).toBeNull()
    expect((await who.call('/api/content-favorites')).status).toBe(401)
    const refused = await signIn(email)
    expect(refused.status).toBe(403)
    expect(await refused.json()).toMatchObject({
      code: 'suspended',
      message:
        'Your account is suspended at the moment. Several reports of unkind comments. If this looks like a mistake to you, please write to us.',
    })
    expect(refused.headers.getSetCookie()).toEqual([])
    const suspended = await operator.json('/api/members?state=suspended')
    expect(suspended).toMatchObject([{ id, suspensionReason: 'Several reports of unkind comments' }])
    expect((await operator.json('/api/members?state=active&q=sue')).length).toBe(0)
  })

  test('sees the reason only with the right password', async () => {
    const wrong = await browser(app, '10.32.0.1').call('/api/auth/login', {
      json: { email: 'sue@example.com', password: 'not this one' },
    })
    expect([wrong.status, (await wrong.json()).code]).toEqual([401, 'wrong_credentials'])
  })

  test('sees the suspension on the sign-in page too', async () => {
    const form = { email: 'sue@example.com', password }
    const page = await browser(app, '10.32.0.2').call('/sign-in', { form, headers: { accept: 'text/html' } })
    expect(await page.text()).toContain('Your account is suspended at the moment.')
  })

  test('can sign in again once the suspension is lifted', async () => {
    const [{ id }] = await operator.json('/api/members?state=suspended')
    const lift = () => operator.call(`/api/members/${id}/suspension`, { method: 'DELETE' })
    expect([(await lift()).status, (await lift()).status]).toEqual([200, 200])
    expect((await signIn('sue@example.com')).status).toBe(200)
  })
})

test('signing a member out everywhere ends all their sessions and nothing else', async () => {
  const { who, id, email } = await member('out@example.com')
  await signIn(email)
  await operator.call(`/api/members/${id}/sessions`, { method: 'DELETE' })
  expect(await who.json('/api/auth/user')).toBeNull()
  expect((await operator.json(`/api/members/${id}`)).sessions).toEqual([])
  expect((await signIn(email)).status).toBe(200)
  expect(await mara.who.json('/api/auth/user')).toMatchObject({ id: mara.id })
})

test('an export is a ZIP that is never cached', async () => {
  const response = await operator.call(`/api/members/${mara.id}/export`)
  expect(response.headers.get('content-type')).toBe('application/zip')
  expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="nocturne-[\d-]+\.zip"$/)
  expect(response.headers.get('cache-control')).toBe('private, no-store')
  expect(Object.keys(unzipSync(await response.bytes()))).toContain('data/stories.json')
})

test('deleting a member requires typing their email', async () => {
  const { id, email } = await member('gone@example.com')
  const remove = (json: unknown) => operator.call(`/api/members/${id}`, { method: 'DELETE', json })
  for (const json of [{}, { email: '' }, { email: 'mara@example.com' }, { email: 'gone' }])
    expect((await remove(json)).status).toBe(422)
  expect((await operator.call(`/api/members/${id}`)).status).toBe(200)
  expect((await remove({ email: ' GONE@example.com ' })).status).toBe(200)
  expect((await operator.call(`/api/members/${id}`)).status).toBe(404)
  expect((await remove({ email })).status).toBe(404)
})

test('every action on a member is audited with its operator; a refused one is not', async () => {
  await db.delete(auditLog)
  const { id, email } = await member('audit@example.com')
  const path = `/api/members/${id}`
  await operator.call(`${path}/suspension`, { json: { reason: 'First' } })
  await operator.call(`${path}/suspension`, { json: { reason: 'Second' } })
  await operator.call(`${path}/suspension`, { method: 'DELETE' })
  await operator.call(`${path}/suspension`, { method: 'DELETE' })
  await operator.call(`${path}/sessions`, { method: 'DELETE' })
  await (await operator.call(`${path}/export`)).bytes()
  await operator.call(path, { method: 'DELETE', json: { email: 'other@example.com' } })
  const entries = () => db.select().from(auditLog).orderBy(auditLog.id)
  expect(
    (await entries()).map(({ actor, action, subjectId, before, after }) => ({
      actor,
      action,
      subjectId,
      before,
      after,
    })),
  ).toEqual([
    { actor: 'Ada', action: 'suspend', subjectId: id, before: null, after: { reason: 'First' } },
    {
      actor: 'Ada',
      action: 'suspend',
      subjectId: id,
      before: { reason: 'First' },
      after: { reason: 'Second' },
    },
    { actor: 'Ada', action: 'lift suspension', subjectId: id, before: { reason: 'Second' }, after: null },
    { actor: 'Ada', action: 'sign out', subjectId: id, before: null, after: null },
    { actor: 'Ada', action: 'export', subjectId: id, before: null, after: null },
  ])
  await operator.call(path, { method: 'DELETE', json: { email } })
  expect((await entries()).map(({ action, subjectId }) => [action, subjectId])).toEqual(
    ['suspend', 'suspend', 'lift suspension', 'sign out', 'export', 'delete'].map((action) => [action, null]),
  )
})
