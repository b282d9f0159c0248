import { expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { newId } from '#db/columns'
import { audioLockSeed } from '#db/locks'
import { challenges, stories, users } from '#db/schema'
import { event } from '#src/analytics/testing'
import { busyMember, tablesWith } from '#src/member/testing'
import { addGuideline } from '#src/review/change-guideline'
import { onLibraryChange } from '#src/story/library-changed'
import { type Call, memberBrowser, publishTestItem, testApp } from '#src/testing/app'
import { until } from '#src/testing/until'
import { deleteMember } from './delete'

const { app, services } = await testApp()
const { db } = services
const { id: item } = await publishTestItem(services)
const challengeId = newId()
await db
  .insert(challenges)
  .values({ id: challengeId, name: 'Ten quiet days', totalDays: 1, publishedAt: new Date() })
await addGuideline(db, { keywords: ['moonshine'], severity: 'blocking' }, 'Ada')
const draft = { title: 'The Pier', content: 'They sat on the pier.', categories: ['romantic'] }
const blocked = { ...draft, content: 'They drank moonshine.' }
const report = { flagType: 'other', flagReason: 'A reason.' }
const position = {
  contentId: item,
  contentType: 'story',
  lastPositionSec: 60,
  totalSec: 600,
  completed: true,
}

/** Counters of the last hours, which are removed when they expire. */
const expiring = ['throttles']

/** A request whose body is sent only after `between`, when the server has found the caller by the headers. */
function bodyAfter(between: () => Promise<void>, json: unknown): Pick<Call, 'body' | 'headers'> {
  const body = new ReadableStream(
    {
      async pull(controller) {
        await between()
        controller.enqueue(new TextEncoder().encode(JSON.stringify(json)))
        controller.close()
      },
    },
    { highWaterMark: 0 },
  )
  return { body, headers: { 'content-type': 'application/json' } }
}

test.each([
  ['POST', '/api/stories/ITEM/vote', { voteType: 'up' }, 401],
  ['POST', '/api/stories/ITEM/feedback', { rating: 5, comments: 'Lovely.' }, 401],
  ['POST', '/api/stories/ITEM/flags', report, 201],
  ['POST', '/api/content-favorites', { contentKey: `pre_uploaded:story:${item}` }, 401],
  ['POST', '/api/analytics/progress', { ...position, deviceId: 'phone-of-hers', sequence: 1 }, 401],
  ['POST', '/api/analytics/events', { events: [event()] }, 200],
  ['POST', '/api/user/content', draft, 401],
  ['POST', '/api/user/content', blocked, 422],
  ['POST', '/api/user/challenges', { challengeId, timeZone: 'UTC' }, 401],
  ['PATCH', '/api/user/settings', { discreetMode: true }, 401],
  ['POST', '/api/user/feeds', {}, 401],
  ['POST', '/api/user/verify-email', {}, 401],
  ['DELETE', '/api/user/history', {}, 200],
])(
  '%s %s by a member who is deleted meanwhile leaves nothing of the member',
  async (method, path, json, status) => {
    const email = `${newId()}@example.com`
    const who = await memberBrowser(app, email, email)
    const sent = bodyAfter(() => deleteMember(services, who.id, null), json)
    expect((await who.call(path.replace('ITEM', item), { method, ...sent })).status).toBe(status)
    const tables = await tablesWith(db, who.id, email)
    expect(tables.filter((name) => !expiring.includes(name))).toEqual([])
  },
)

test('a vote on an item that is deleted meanwhile returns 404', async () => {
  const owner = await memberBrowser(app, 'owner@example.com')
  const { id } = await owner.json('/api/user/content', { json: draft })
  await db.update(stories).set({ isShared: true, status: 'published' })
  const sent = bodyAfter(() => deleteMember(services, owner.id, null), { voteType: 'up' })
  const reader = await memberBrowser(app, 'reader@example.com')
  expect((await reader.call(`/api/stories/${id}/vote`, { method: 'POST', ...sent })).status).toBe(404)
})

test('a deletion clears the caches of the library before it removes audio', async () => {
  const { id, file } = await busyMember(app, services, 'cora')
  let isCleared = false
  onLibraryChange(db, () => {
    isCleared = true
  })
  const [removing, stored] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const storing = db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${file.hash}, ${audioLockSeed}))`)
    removing.resolve()
    await stored.promise
  })
  await removing.promise
  const deleted = deleteMember(services, id, null)
  await until(() => isCleared)
  stored.resolve()
  await Promise.all([storing, deleted])
  expect(await services.storage.find(file)).toBeNull()
})

test('a deletion that loses a deadlock is tried again', async () => {
  const who = await memberBrowser(app, 'dora@example.com')
  await db.execute(sql`create sequence attempts`)
  await db.execute(sql`create function lose_first() returns trigger language plpgsql as $$ begin
    if nextval('attempts') = 1 then raise exception using errcode = 'deadlock_detected'; end if;
    return old;
  end $$`)
  await db.execute(sql`create trigger lose before delete on users for each row execute function lose_first()`)
  await deleteMember(services, who.id, null)
  expect(await db.$count(users, eq(users.id, who.id))).toBe(0)
})
