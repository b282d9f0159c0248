import { expect, test } from 'bun:test'
import { asc, eq } from 'drizzle-orm'
import { newId } from '#db/columns'
import { contentProgress, devicePositions } from '#db/schema'
import { tidyUp } from '#src/server/housekeeping'
import { memberBrowser, publishTestItem, testApp } from '#src/testing/app'
import { pruneDevicePositions, pruneVisitorPositions } from './prune-positions'
import { devicesMax } from './rules'
import { saveProgress } from './save-progress'

const { app, services } = await testApp()
const { db } = services
const dayMs = 24 * 3_600_000
const ago = (days: number) => new Date(Date.now() - days * dayMs)

/** Adds a listener whose first report was `begun` days ago and whose last one was `heard` days ago. */
async function addListener(contentId: string, userId: string | null, days: { begun: number; heard: number }) {
  const anonId = userId ?? newId()
  await db.insert(contentProgress).values({
    id: Bun.randomUUIDv7('hex', ago(days.begun).getTime()),
    anonId,
    userId,
    contentId,
    contentType: 'story',
    lastUpdatedAt: ago(days.heard),
  })
  await db
    .insert(devicePositions)
    .values({ anonId, contentId, deviceId: 'phone', sequence: 1, positionSec: 1, updatedAt: ago(days.heard) })
  return anonId
}

/** Reports from the device of that number, at that second of the item. */
const hear = (anonId: string, contentId: string, at: number) =>
  saveProgress(
    db,
    { anonId, userId: null },
    { contentId, contentType: 'story', lastPositionSec: at + 1, deviceId: `device ${at}`, sequence: at + 1 },
  )

test('visitors’ positions are pruned after their cookie expires; members’ positions stay', async () => {
  const { id: contentId } = await publishTestItem(services)
  const member = await memberBrowser(app, 'ana@example.com')
  const { id: userId } = member
  for (let at = 0; at < 3; at += 1) await addListener(contentId, null, { begun: 400, heard: 366 })
  const staying = [
    await addListener(contentId, null, { begun: 400, heard: 364 }),
    await addListener(contentId, null, { begun: 1, heard: 1 }),
    await addListener(contentId, userId, { begun: 400, heard: 366 }),
  ]
  // Two servers prune at once, in batches smaller than the number of rows.
  await Promise.all([pruneVisitorPositions(db, 2), pruneVisitorPositions(db, 2)])
  for (const table of [contentProgress, devicePositions]) {
    const rows = await db.select({ anonId: table.anonId }).from(table)
    expect(rows.map(({ anonId }) => anonId).sort()).toEqual(staying.toSorted())
  }
})

test('each listener keeps the ten most recent device positions of an item', async () => {
  const { id: contentId } = await publishTestItem(services)
  const [many, few] = [newId(), newId()]
  for (let at = 0; at < devicesMax + 5; at += 1) await hear(many, contentId, at)
  for (let at = 0; at < devicesMax; at += 1) await hear(few, contentId, at)
  await pruneDevicePositions(db, 2)
  const left = async (anonId: string) => {
    const rows = await db
      .select({ at: devicePositions.positionSec })
      .from(devicePositions)
      .where(eq(devicePositions.anonId, anonId))
      .orderBy(asc(devicePositions.positionSec))
    return rows.map(({ at }) => at)
  }
  const upTo = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at)
  expect(await left(many)).toEqual(upTo(6, 15))
  expect(await left(few)).toEqual(upTo(1, 10))
})

test('housekeeping prunes visitors’ positions and surplus device positions', async () => {
  const { id: contentId } = await publishTestItem(services)
  await addListener(contentId, null, { begun: 400, heard: 366 })
  const listener = newId()
  for (let at = 0; at < devicesMax + 1; at += 1) await hear(listener, contentId, at)
  await tidyUp(services)
  expect(await db.$count(contentProgress, eq(contentProgress.contentId, contentId))).toBe(1)
  expect(await db.$count(devicePositions, eq(devicePositions.contentId, contentId))).toBe(devicesMax)
})
