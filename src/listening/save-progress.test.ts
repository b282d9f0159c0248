import { expect, test } from 'bun:test'
import { openDatabase } from '#db/db'
import { playbackSessions } from '#db/schema'
import { testDatabase, testDatabaseUrl } from '#db/testing'
import { publish } from '#src/story/publish'
import { saveProgress } from './save-progress'

test('saving progress takes one SQL statement, with or without a new view', async () => {
  let statements = 0
  const observe = () => {
    statements += 1
  }
  const db = openDatabase(await testDatabaseUrl(), { max: 1, observe })
  const { id } = await publish(db, { title: 'The Lamp', content: 'She lit it.', categories: ['romantic'] })
  const sender = { device: 'phone', addressHash: null, isCounted: true } as const
  const startedAt = Date.now() - 60_000
  const report = (seconds: number) =>
    saveProgress(
      db,
      { anonId: 'a visitor', userId: null },
      {
        contentId: id,
        contentType: 'story',
        lastPositionSec: seconds,
        deviceId: 'here',
        sequence: seconds,
        lastUpdatedAt: new Date(startedAt + seconds * 1_000).toISOString(),
      },
      sender,
    )
  const answers: [number, number, number][] = []
  for (const seconds of [0, 10, 20, 30, 40]) {
    const before = statements
    const { lastPositionSec } = await report(seconds)
    answers.push([statements - before, lastPositionSec, await db.$count(playbackSessions)])
  }
  expect(answers).toEqual([
    [1, 0, 0],
    [1, 10, 0],
    [1, 20, 0],
    [1, 30, 1],
    [1, 40, 1],
  ])
  await db.close()
})

test('a device whose clock is ahead does not outrank later reports of other devices', async () => {
  const db = await testDatabase()
  const { id } = await publish(db, { title: 'The Lamp', content: 'She lit it.', categories: ['romantic'] })
  const report = (deviceId: string, lastPositionSec: number, aheadMs: number) =>
    saveProgress(
      db,
      { anonId: 'a visitor', userId: null },
      {
        contentId: id,
        contentType: 'story',
        lastPositionSec,
        deviceId,
        sequence: 1,
        lastUpdatedAt: new Date(Date.now() + aheadMs).toISOString(),
      },
    )
  await report('ahead', 30, 3_600_000)
  expect(await report('right', 50, 0)).toMatchObject({ lastPositionSec: 50 })
})
