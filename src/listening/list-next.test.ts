import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { challengeFlows, challenges, narrations, stories, users } from '#db/schema'
import { attachAudio } from '#src/narration/attach'
import type { Item } from '#src/story/schema'
import {
  type Browser,
  browser,
  memberBrowser,
  operatorBrowser,
  publishTestItem,
  testApp,
} from '#src/testing/app'

const { app, services } = await testApp()
const { db } = services

/** Creates an item with a narration row; the audio file itself is not needed here. */
async function spoken(title: string, draft: Parameters<typeof publishTestItem>[1] = {}): Promise<string> {
  const { id } = await publishTestItem(services, { title, ...draft })
  await attachAudio(db, {
    storyId: id,
    voice: 'female',
    file: { hash: 'a'.repeat(64), extension: 'mp3', sizeBytes: 1_000, durationSeconds: 60 },
    provider: 'upload',
    narrator: null,
    fileName: 'tone.mp3',
  })
  return id
}

const ferry = await spoken('Ferry')
const train = await spoken('Train')
const gift = await spoken('Gift', { isFree: true })
const rope = await spoken('Rope', { categories: ['romantic', 'bdsm'] })
const lisbon = await spoken('Lisbon', { categories: ['lesbian'] })
const breath = await spoken('Breath', { type: 'flow' })
await publishTestItem(services, { title: 'Silent' })
const mara = await memberBrowser(app, 'mara@example.com')
const ines = await memberBrowser(app, 'ines@example.com')

type Next = { autoPlay: boolean | null; speed: number | null; items: Item[] }

async function titles(who: Browser, query = '', after = ferry): Promise<string> {
  const { items } = (await who.json(`/api/content/${after}/next?${query}`)) as Next
  return items.map(({ title }) => title).join(' ')
}

describe('GET /api/content/:id/next', () => {
  test('lists narrated items of the same type and a shared category, newest first', async () => {
    expect(await titles(mara)).toBe('Rope Gift Train')
  })

  test('lists the chosen queue first, then the surrounding list, then similar items', async () => {
    expect(await titles(mara, `chosen=${lisbon},${breath}&around=${train},${lisbon}`)).toBe(
      'Lisbon Breath Train Rope Gift',
    )
  })

  test('omits the excluded items unless they were chosen', async () => {
    expect(await titles(mara, `without=${rope},${train}`)).toBe('Gift')
    expect(await titles(mara, `without=${rope},${train}&chosen=${train}`)).toBe('Train Gift')
  })

  test('lists only free items for visitors, without auto-play or speed settings', async () => {
    const visitor = browser(app)
    expect(await titles(visitor, `chosen=${train}`)).toBe('Gift')
    const { autoPlay, speed } = (await visitor.json(`/api/content/${ferry}/next`)) as Next
    expect([autoPlay, speed]).toEqual([null, null])
    expect(await titles(await operatorBrowser(app), `chosen=${train}`)).toContain('Train')
  })

  test('omits what the member hides by category or word, and returns the member’s player settings', async () => {
    await ines.call('/api/user/settings', {
      method: 'PATCH',
      json: { hiddenCategories: ['bdsm'], hiddenWords: ['GIFT'], autoPlayNext: false, playbackSpeed: 1.25 },
    })
    expect(await titles(ines, `chosen=${rope},${gift}`)).toBe('Train')
    const { autoPlay, speed } = (await ines.json(`/api/content/${ferry}/next`)) as Next
    expect([autoPlay, speed]).toEqual([false, 1.25])
    expect(await titles(mara, `chosen=${rope}`)).toContain('Rope')
  })

  test('omits removed items and other members’ unshared items', async () => {
    const [maker] = await db.select().from(users).where(eq(users.email, 'ines@example.com'))
    const own = await spoken('Own')
    await db.update(stories).set({ source: 'user_generated', userId: maker?.id }).where(eq(stories.id, own))
    expect(await titles(mara, `chosen=${own}`)).not.toContain('Own')
    expect(await titles(ines, `chosen=${own}`)).toContain('Own')
    await db.update(stories).set({ isShared: true }).where(eq(stories.id, own))
    expect(await titles(mara, `chosen=${own}`)).toContain('Own')
    await db.update(stories).set({ status: 'removed' }).where(eq(stories.id, own))
    expect(await titles(ines, `chosen=${own}`)).not.toContain('Own')
  })

  test('omits the next day of a challenge unless it was chosen', async () => {
    const [challenge] = await db
      .insert(challenges)
      .values({ name: 'Three evenings', totalDays: 2, publishedAt: new Date() })
      .returning()
    const challengeId = challenge?.id ?? ''
    await db.insert(challengeFlows).values([
      { challengeId, day: 1, storyId: ferry },
      { challengeId, day: 2, storyId: train },
    ])
    expect(await titles(mara, `around=${train}`)).toBe('Rope Gift')
    expect(await titles(mara, `chosen=${train}`)).toBe('Train Rope Gift')
    await db.delete(challenges).where(eq(challenges.id, challengeId))
  })

  test('returns 404 for an unknown item and ignores malformed or unnarrated chosen ids', async () => {
    for (const id of [crypto.randomUUID(), 'nonsense'])
      expect((await mara.call(`/api/content/${id}/next`)).status).toBe(404)
    expect(await titles(mara, 'chosen=nonsense,,%27')).toBe('Rope Gift Train')
    await db.delete(narrations).where(eq(narrations.storyId, rope))
    expect(await titles(mara, `chosen=${rope}`)).toBe('Gift Train')
  })
})
