import { beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { jobs, stories, users } from '#db/schema'
import { approveHeld, refuseHeld } from '#src/guideline/review'
import { takeJob } from '#src/job/lease'
import { takeMails } from '#src/mail/testing'
import { enqueueNarration, narrateKind } from '#src/narration/enqueue'
import { tellingOfFailure } from '#src/narration/tell-maker'
import { pushKind } from '#src/push/queue'
import { testBrowserKeys } from '#src/push/testing'
import { Refusal } from '#src/refusal'
import { type Browser, memberBrowser, testApp } from '#src/testing'
import { tellMember } from './tell-member'

const { app, parts } = await testApp()
const { db } = parts
const news = {
  notice: { topic: 'narration', path: '/my-content' },
  letter: { subject: 'Something', text: 'It is ready.' },
} as const
let people = 0
beforeEach(async () => void (await db.delete(jobs)))

/** A member whose browser takes notifications. */
async function newMember(settings: object = {}) {
  people += 1
  const email = `told${people}@example.com`
  const who = await memberBrowser(app, email, `10.42.0.${people}`)
  const endpoint = `https://push.example.com/${people}`
  await who.call('/api/user/push', { json: { endpoint, keys: testBrowserKeys().keys } })
  await who.call('/api/user/settings', { method: 'PATCH', json: { autoPlayNext: true, ...settings } })
  const { id }: { id: string } = await who.json('/api/auth/user')
  await db.delete(jobs)
  return { who, id, email }
}

/** The topics that wait for the members' screens, and who is written to. */
async function told() {
  const rows = await db.select().from(jobs).where(eq(jobs.kind, pushKind))
  const topics = rows.map(({ payload }) => (payload as { topic: string }).topic)
  await db.delete(jobs).where(eq(jobs.kind, pushKind))
  return { topics, letters: (await takeMails(parts)).map(({ to, text }) => ({ to, text })) }
}

describe('news', () => {
  test.each([
    [{}, 1, 1],
    [{ emailNotifications: false }, 1, 0],
    [{ pushNotifications: false }, 0, 1],
    [{ emailNotifications: false, pushNotifications: false }, 0, 0],
  ])('with the settings %j are %i notifications and %i letters', async (settings, notices, letters) => {
    const { id } = await newMember(settings)
    await tellMember(parts, id, news)
    const { topics, letters: written } = await told()
    expect([topics.length, written.length]).toEqual([notices, letters])
  })

  test('that are owed are written in any case', async () => {
    const { id, email } = await newMember({ emailNotifications: false, pushNotifications: false })
    await tellMember(parts, id, { ...news, letterIs: 'owed' })
    expect(await told()).toEqual({ topics: [], letters: [{ to: email, text: 'It is ready.' }] })
  })

  test('of a transaction that is rolled back are told to nobody', async () => {
    const { id } = await newMember()
    await db
      .transaction(async (tx) => {
        await tellMember({ ...parts, db: tx }, id, news)
        throw new Error('no')
      })
      .catch(() => undefined)
    expect(await told()).toEqual({ topics: [], letters: [] })
  })

  test('about nobody are told to nobody', async () => {
    await tellMember(parts, '019c2f6e-5b7a-7c31-9a4e-0d2f6b8c1e57', news)
    expect(await told()).toEqual({ topics: [], letters: [] })
  })

  test('reach who has no e-mail on their screens', async () => {
    const { id } = await newMember()
    await db.update(users).set({ email: null }).where(eq(users.id, id))
    await tellMember(parts, id, news)
    expect(await told()).toEqual({ topics: ['narration'], letters: [] })
  })
})

async function ownItem(who: Browser, more: Partial<typeof stories.$inferInsert> = {}): Promise<string> {
  const draft = { title: 'The Pier', content: 'They sat on the pier.', categories: ['romantic'] }
  const { id }: { id: string } = await who.json('/api/user/content', { json: draft })
  await db
    .update(stories)
    .set({ status: 'held', heldFrom: 'published', ...more })
    .where(eq(stories.id, id))
  await db.delete(jobs)
  return id
}

describe('what an operator decides', () => {
  test('of something shared is told to its maker: that others can read it', async () => {
    const { who, email } = await newMember()
    await approveHeld(parts, await ownItem(who, { isShared: true }), 'Ada')
    const { topics, letters } = await told()
    expect(topics).toEqual(['sharing'])
    expect(letters).toMatchObject([{ to: email }])
    expect(letters[0]?.text).toContain('“The Pier” was looked at, and it is shared')
    expect(letters[0]?.text).toContain(`${parts.env.publicUrl}/my-content`)
  })

  test('against it is always written, with the reason and how to object', async () => {
    const { who } = await newMember({ emailNotifications: false })
    await refuseHeld(parts, await ownItem(who, { isShared: true }), 'Ada', 'It needs a note.')
    const { letters } = await told()
    expect(letters[0]?.text).toContain('is not shared. It stays yours.')
    expect(letters[0]?.text).toContain('The reason: It needs a note.')
    expect(letters[0]?.text).toContain('write to')
    await approveHeld(parts, await ownItem(who), 'Ada')
    expect((await told()).letters).toEqual([])
  })

  test('of the library’s own items is told to nobody', async () => {
    const { who } = await newMember()
    const id = await ownItem(who, { source: 'pre_uploaded', userId: null })
    await approveHeld(parts, id, 'Ada')
    expect(await told()).toEqual({ topics: [], letters: [] })
  })
})

describe('a narration that the voice could not speak', () => {
  const failing = (error: Error) =>
    tellingOfFailure(parts, async () => {
      throw error
    })
  const run = async (storyId: string, error: Error) => {
    await enqueueNarration(db, storyId, 'female')
    const job = await takeJob(db, [narrateKind])
    if (!job) throw new Error('No narration is queued.')
    const control = { signal: new AbortController().signal, progress: () => {} }
    await failing(error)(job, control).catch(() => undefined)
    return { job, control }
  }

  test('is told to its maker once no further try is made', async () => {
    const { who, email } = await newMember()
    const id = await ownItem(who, { status: 'published', heldFrom: null })
    const { job, control } = await run(id, new Refusal('unavailable', 'Away.'))
    expect(await told()).toEqual({ topics: [], letters: [] })
    await failing(new Error('Away.'))({ ...job, attempts: job.attemptsMax }, control).catch(() => undefined)
    const { topics, letters } = await told()
    expect(topics).toEqual(['narration'])
    expect(letters).toMatchObject([{ to: email }])
    expect(letters[0]?.text).toContain('The voice could not speak “The Pier”.')
  })

  test('is told at once where trying again is no use', async () => {
    const { who } = await newMember()
    await run(await ownItem(who, { status: 'published', heldFrom: null }), new Refusal('invalid', 'No.'))
    expect((await told()).topics).toEqual(['narration'])
  })
})
