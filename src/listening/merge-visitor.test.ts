import { expect, test } from 'bun:test'
import { and, eq, or, type SQL, sql } from 'drizzle-orm'
import { newId } from '#db/columns'
import { contentProgress, devicePositions, playbackSessions } from '#db/schema'
import { memberBrowser, publishTestItem, testApp } from '#src/testing/app'
import { isLockAwaited } from '#src/testing/lock-wait'
import { until } from '#src/testing/until'
import { mergeVisitor } from './merge-visitor'
import { saveProgress } from './save-progress'

const { app, services } = await testApp()
const { db } = services
const ana = await memberBrowser(app, 'ana@example.com')
const [lamp, boat] = [await publishTestItem(services), await publishTestItem(services, { title: 'The Boat' })]

const report = (anonId: string, contentId: string) =>
  saveProgress(
    db,
    { anonId, userId: anonId === ana.id ? ana.id : null },
    { contentId, contentType: 'story', lastPositionSec: 50, completed: true, deviceId: 'here', sequence: 1 },
    { device: 'phone', addressHash: null, isCounted: true },
  )

/** Merges a visitor, and runs `work` while the merge waits for rows that another transaction has locked. */
function mergeAround(visitor: string, locked: SQL, work: () => Promise<unknown>): Promise<void> {
  return mergeBeside(visitor, sql`${locked} for update`, work)
}

/** Merges a visitor, and runs `work` while the merge waits for a transaction that has executed `act`. */
async function mergeBeside(visitor: string, act: SQL, work: () => Promise<unknown>): Promise<void> {
  const merging = await db.transaction(async (tx) => {
    await tx.execute(act)
    const begun = mergeVisitor(db, visitor, ana.id)
    await until(() => isLockAwaited(db))
    await work()
    return { begun }
  })
  await merging.begun
}

const lockedRows = {
  'a position': sql`select 1 from content_progress where anon_id = ${ana.id}`,
  'a position of a device': sql`select 1 from device_positions where anon_id = ${ana.id}`,
}
for (const [what, locked] of Object.entries(lockedRows))
  test(`merging a visitor into a member does not lose ${what} reported meanwhile`, async () => {
    const visitor = newId()
    await db.delete(contentProgress)
    await db.delete(devicePositions)
    await report(ana.id, lamp.id)
    await report(visitor, lamp.id)
    await mergeAround(visitor, locked, () => report(visitor, boat.id))
    const isBoats = (table: typeof contentProgress | typeof devicePositions) =>
      and(or(eq(table.anonId, visitor), eq(table.anonId, ana.id)), eq(table.contentId, boat.id))
    expect([
      await db.$count(contentProgress, isBoats(contentProgress)),
      await db.$count(devicePositions, isBoats(devicePositions)),
    ]).toEqual([1, 1])
  })

test('merging a visitor into a member does not lose a view counted meanwhile', async () => {
  await db.delete(playbackSessions)
  const visitor = newId()
  await report(visitor, lamp.id)
  const locked = sql`select 1 from playback_sessions where session_id = ${visitor}`
  await mergeAround(visitor, locked, () => report(visitor, boat.id))
  const views = await db
    .select({ listener: playbackSessions.sessionId, storyId: playbackSessions.storyId })
    .from(playbackSessions)
  expect(views).toContainEqual({ listener: ana.id, storyId: lamp.id })
  expect(views).toContainEqual({ listener: visitor, storyId: boat.id })
})

test('merging two views of one item leaves one, complete if either was', async () => {
  await db.delete(playbackSessions)
  const visitor = newId()
  await report(ana.id, lamp.id)
  await db.update(playbackSessions).set({ isComplete: false })
  await report(visitor, lamp.id)
  await mergeVisitor(db, visitor, ana.id)
  const views = await db.select().from(playbackSessions)
  expect(views).toMatchObject([{ sessionId: ana.id, storyId: lamp.id, isComplete: true }])
})

test('merging leaves one view when another device of the member counts the same view meanwhile', async () => {
  const visitor = newId()
  await db.delete(playbackSessions)
  await report(visitor, lamp.id)
  const sameOfAna = sql`
    insert into playback_sessions select (jsonb_populate_record(null::playback_sessions, to_jsonb(theirs) ||
      jsonb_build_object('id', gen_random_uuid(), 'session_id', ${ana.id}::text, 'user_id', ${ana.id}::text))).*
    from playback_sessions theirs where session_id = ${visitor}`
  await mergeBeside(visitor, sameOfAna, async () => {})
  expect(await db.select({ who: playbackSessions.sessionId }).from(playbackSessions)).toEqual([
    { who: ana.id },
  ])
})
