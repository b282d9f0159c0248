import { expect, test } from 'bun:test'
import { challengeEnrolments } from '#db/schema'
import { memberBrowser, publishTestItem, testApp } from '#src/testing/app'
import { setChallenge } from '#src/user-story/testing'
import { listUserContent } from './queries'

const { app, services } = await testApp()
const { db } = services

test('a flow on several challenge days is listed once per day, across pages of any length', async () => {
  const ana = await memberBrowser(app, 'ana@example.com')
  const { id } = ana
  const flow = await publishTestItem(services, { type: 'flow' })
  await ana.call('/api/content-favorites', { json: { contentKey: `pre_uploaded:flow:${flow.id}` } })
  for (const days of [3, 2]) await setChallenge(db, id, Array(days).fill(flow.id))
  // All days of the challenge are open, and every entry has the same time.
  await db.update(challengeEnrolments).set({ startedOn: '2020-01-01', createdAt: new Date('2020-01-01') })
  for (const since of [null, new Date(0)]) {
    const found: string[] = []
    let cursor: string | undefined
    do {
      const { items, nextCursor } = await listUserContent(db, id, { limit: 1, cursor, since })
      found.push(...items.map(({ challengeDay }) => (challengeDay ? `day ${challengeDay}` : 'saved')))
      cursor = nextCursor ?? undefined
    } while (cursor)
    expect(found.toSorted()).toEqual(['day 1', 'day 1', 'day 2', 'day 2', 'day 3', 'saved'])
  }
})
