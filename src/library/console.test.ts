import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { audioFiles, narrations, stories } from '#db/schema'
import { browser, operatorBrowser, operatorToken, publishTestItem, testApp } from '#src/testing/app'

const { app, services } = await testApp()
const { db } = services
const ada = await operatorBrowser(app)
const pageOf = async (path: string, headers?: Record<string, string>) =>
  (await (headers ? browser(app) : ada).call(path, { headers })).text()

test('a card shows a changed title, status or narration on the next request', async () => {
  const { id } = await publishTestItem(services, { title: 'The Night Ferry' })
  const isShown = async (words: string) => (await pageOf('/premium-content')).includes(words)
  expect(await isShown('The Night Ferry')).toBe(true)
  await db.update(stories).set({ title: 'Salt Air' }).where(eq(stories.id, id))
  expect([await isShown('Salt Air'), await isShown('The Night Ferry')]).toEqual([true, false])
  expect(await isShown('Audio Ready')).toBe(false)
  await db
    .insert(audioFiles)
    .values({ hash: 'a'.repeat(64), extension: 'mp3', sizeBytes: 1, durationSeconds: 1 })
  const narration = { storyId: id, voice: 'male', provider: 'upload', audioHash: 'a'.repeat(64) } as const
  await db.insert(narrations).values(narration)
  expect(await isShown('Audio Ready')).toBe(true)
  await db.update(stories).set({ status: 'draft' }).where(eq(stories.id, id))
  expect(await isShown('Draft</span>')).toBe(true)
})

test('the page carries the end of its viewer’s session, or null for a bearer token', async () => {
  const token = { authorization: `Bearer ${operatorToken}` }
  const endOf = (html: string) => html.match(/"endsAtMs":(\w+)/)?.[1]
  expect(endOf(await pageOf('/premium-content'))).toMatch(/^\d+$/)
  expect(endOf(await pageOf('/premium-content', token))).toBe('null')
  expect(endOf(await pageOf('/premium-content'))).toMatch(/^\d+$/)
})

test('a card links to its editor and keeps the list’s search and filters', async () => {
  const { id } = await publishTestItem(services, { title: 'The Lamp' })
  for (const query of ['', 'q=lamp', 'q=lamp&type=story'])
    expect(await pageOf(`/premium-content?${query}`)).toContain(
      `href="/premium-content?${[...query.split('&').filter(Boolean), `edit=${id}`].join('&amp;')}"`,
    )
})
