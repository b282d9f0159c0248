import { beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { jobs, stories, users } from '#db/schema'
import { AppError } from '#src/app-error'
import { takeJob } from '#src/job/lease'
import { takeMails } from '#src/mail/testing'
import { enqueueNarration, narrateKind } from '#src/narration/enqueue'
import { notifyingOfFailure } from '#src/narration/notify-maker'
import { pushKind } from '#src/push/queue'
import { testBrowserKeys } from '#src/push/testing'
import { reviewHeld } from '#src/review/review'
import { type Browser, memberBrowser, testApp } from '#src/testing/app'
import { notifyMember } from './notify-member'

const { app, services } = await testApp()
const { db } = services
const news = {
  notice: { topic: 'narration', path: '/my-content' },
  mail: { subject: 'Something', text: 'It is ready.' },
} as const
let people = 0
beforeEach(async () => void (await db.delete(jobs)))

/** Creates a member whose browser is subscribed to notifications. */
async function newMember(settings: object = {}) {
  people += 1
  const email = `told${people}@example.com`
  const who = await memberBrowser(app, email, `10.42.0.${people}`)
  const endpoint = `https://push.example.com/${people}`
  await who.call('/api/user/push', { json: { endpoint, keys: testBrowserKeys().keys } })
  await who.call('/api/user/settings', { method: 'PATCH', json: { autoPlayNext: true, ...settings } })
  const { id } = who
  await db.delete(jobs)
  return { who, id, email }
}

/** The topics of queued notifications, and the recipients of mails. */
async function queued() {
  const rows = await db.select().from(jobs).where(eq(jobs.kind, pushKind))
  const topics = rows.map(({ payload }) => (payload as { topic: string }).topic)
  await db.delete(jobs).where(eq(jobs.kind, pushKind))
  return { topics, mails: (await takeMails(services)).map(({ to, text }) => ({ to, text })) }
}

describe('notifyMember', () => {
  test.each([
    [{}, 1, 1],
    [{ emailNotifications: false }, 1, 0],
    [{ pushNotifications: false }, 0, 1],
    [{ emailNotifications: false, pushNotifications: false }, 0, 0],
  ])('with the settings %j queues %i notifications and %i mails', async (settings, notices, mails) => {
    const { id } = await newMember(settings)
    await notifyMember(services, id, news)
    const { topics, mails: written } = await queued()
    expect([topics.length, written.length]).toEqual([notices, mails])
  })

  test('sends a mail that is owed even when mails are off', async () => {
    const { id, email } = await newMember({ emailNotifications: false, pushNotifications: false })
    await notifyMember(services, id, { ...news, mailIs: 'owed' })
    expect(await queued()).toEqual({ topics: [], mails: [{ to: email, text: 'It is ready.' }] })
  })

  test('sends nothing when its transaction is rolled back', async () => {
    const { id } = await newMember()
    await db
      .transaction(async (tx) => {
        await notifyMember({ ...services, db: tx }, id, news)
        throw new Error('no')
      })
      .catch(() => undefined)
    expect(await queued()).toEqual({ topics: [], mails: [] })
  })

  test('sends nothing for an unknown member', async () => {
    await notifyMember(services, '019c2f6e-5b7a-7c31-9a4e-0d2f6b8c1e57', news)
    expect(await queued()).toEqual({ topics: [], mails: [] })
  })

  test('sends only a push notification to a member without an email', async () => {
    const { id } = await newMember()
    await db.update(users).set({ email: null }).where(eq(users.id, id))
    await notifyMember(services, id, news)
    expect(await queued()).toEqual({ topics: ['narration'], mails: [] })
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

describe('decision on a held item', () => {
  test('notifies the maker that the shared item was approved', async () => {
    const { who, email } = await newMember()
    await reviewHeld(services, await ownItem(who, { isShared: true }), { decision: 'approve' }, 'Ada')
    const { topics, mails } = await queued()
    expect(topics).toEqual(['sharing'])
    expect(mails).toMatchObject([{ to: email }])
    expect(mails[0]?.text).toContain('“The Pier” was reviewed, and it is shared')
    expect(mails[0]?.text).toContain(`${services.env.publicUrl}/my-content`)
  })

  test('is always mailed when it is a refusal, with the reason and how to object', async () => {
    const { who } = await newMember({ emailNotifications: false })
    await reviewHeld(
      services,
      await ownItem(who, { isShared: true }),
      { decision: 'refuse', reason: 'It needs a note.' },
      'Ada',
    )
    const { mails } = await queued()
    expect(mails[0]?.text).toContain('is not shared. It stays yours.')
    expect(mails[0]?.text).toContain('The reason: It needs a note.')
    expect(mails[0]?.text).toContain('write to')
    await reviewHeld(services, await ownItem(who), { decision: 'approve' }, 'Ada')
    expect((await queued()).mails).toEqual([])
  })

  test('notifies nobody about a library item', async () => {
    const { who } = await newMember()
    const id = await ownItem(who, { source: 'pre_uploaded', userId: null })
    await reviewHeld(services, id, { decision: 'approve' }, 'Ada')
    expect(await queued()).toEqual({ topics: [], mails: [] })
  })
})

describe('failed narration', () => {
  const failing = (error: Error) =>
    notifyingOfFailure(services, async () => {
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

  test('notifies the maker only after the last retry', async () => {
    const { who, email } = await newMember()
    const id = await ownItem(who, { status: 'published', heldFrom: null })
    const { job, control } = await run(id, new AppError('unavailable', 'Away.'))
    expect(await queued()).toEqual({ topics: [], mails: [] })
    await failing(new Error('Away.'))({ ...job, attempts: job.attemptsMax }, control).catch(() => undefined)
    const { topics, mails } = await queued()
    expect(topics).toEqual(['narration'])
    expect(mails).toMatchObject([{ to: email }])
    expect(mails[0]?.text).toContain('“The Pier” could not be narrated.')
  })

  test('notifies the maker at once when a retry is pointless', async () => {
    const { who } = await newMember()
    await run(await ownItem(who, { status: 'published', heldFrom: null }), new AppError('invalid', 'No.'))
    expect((await queued()).topics).toEqual(['narration'])
  })
})
