import { afterAll, describe, expect, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { audioFiles, jobs, narrations, stories } from '#db/schema'
import { readEnv } from '#src/env'
import { cancelJob } from '#src/job/cancel-retry'
import { takeJob } from '#src/job/lease'
import { runWorker, type Worker } from '#src/job/worker'
import { takeMails } from '#src/mail/testing'
import { runSynthesisWorker } from '#src/narration/synthesis/run-worker'
import { enhanceText } from '#src/script/enhance'
import { memberBrowser, publishTestItem, testApp } from '#src/testing/app'
import { rejectionOf } from '#src/testing/rejection'
import { until } from '#src/testing/until'
import { enqueueNarration, narrateKind } from './enqueue'
import { narrateHandler } from './narrate'
import { listMissing, narrateMissing } from './narrate-missing'
import { planSpeech } from './plan-speech'
import { narrators } from './rules'
import { standIn } from './voice/testing-provider'

const { app, services } = await testApp()
const { db, env, log } = services
let worker: Worker | undefined
const speakAll = () => {
  worker ??= runWorker({ db, log }, { concurrency: 1, handlers: { [narrateKind]: narrateHandler(services) } })
}
afterAll(() => worker?.stop())

const text =
  'The last boat left at ten. “You’re not cold,” she said.\n\n“No,” he agreed, and pulled the wool up to his chin.'
const jobOf = async (id: string | null) =>
  (
    await db
      .select()
      .from(jobs)
      .where(eq(jobs.id, id ?? ''))
  )[0]

const over = (id: string | null) =>
  until(async () => {
    const job = await jobOf(id)
    return job && job.state !== 'queued' && job.state !== 'running' && job
  })

const workFolders = () => readdir(join(env.dataDir, 'speaking')).catch(() => [])

describe('narrating an item', () => {
  test('waits for a busy provider, and uses the next voice on its last attempt', async () => {
    const headers = { 'retry-after': '60' }
    const busy = standIn(() => new Response('', { status: 429, headers }))
    const { elevenlabs } = readEnv({ ELEVENLABS_BASE_URL: busy.url, ELEVENLABS_API_KEY: 'a key' })
    const narrate = narrateHandler({ ...services, env: { ...env, elevenlabs } })
    const { id } = await publishTestItem(services, { content: 'They sat.' })
    await enqueueNarration(db, id, 'female')
    // The worker of the later tests has not been started yet.
    const job = await takeJob(db, [narrateKind])
    if (!job) throw new Error('No narration is queued.')
    const control = { signal: new AbortController().signal, progress: () => {} }
    const error = await rejectionOf(narrate({ ...job, attempts: job.attemptsMax - 1 }, control))
    expect(error).toMatchObject({ code: 'throttled', retryAfterSeconds: 60 })
    const made = await narrate({ ...job, attempts: job.attemptsMax }, control)
    expect(made).toMatchObject({ provider: 'built-in' })
    await busy.stop()
  })

  test('queues one job, which speaks, checks and attaches audio that members can hear', async () => {
    const { id } = await publishTestItem(services, {
      title: 'The Night Ferry',
      content: text,
      narratorFemale: 'serena',
    })
    const [first, second] = await Promise.all([
      enqueueNarration(db, id, 'female'),
      enqueueNarration(db, id, 'female'),
    ])
    expect(second).toBe(first)
    const isGenerating = async () =>
      (await db.select().from(stories).where(eq(stories.id, id)))[0]?.isGenerating
    expect(await isGenerating()).toBe(true)
    speakAll()
    const job = await over(first)
    expect(job).toMatchObject({ state: 'done', error: null, progress: 1 })
    expect(await isGenerating()).toBe(false)

    const [narration] = await db
      .select()
      .from(narrations)
      .innerJoin(audioFiles, eq(audioFiles.hash, narrations.audioHash))
      .where(eq(narrations.storyId, id))
    expect(narration?.narrations).toMatchObject({
      provider: 'built-in',
      narrator: 'serena',
      voice: 'female',
      isCurrent: true,
    })
    expect(narration?.audio_files.extension).toBe('mp3')
    expect(narration?.audio_files.peaks).toHaveLength(800)
    expect(narration?.audio_files.durationSeconds).toBeGreaterThan(5)
    expect(narration?.audio_files.durationSeconds).toBeLessThan(20)

    const member = await memberBrowser(app, 'mara@example.com')
    const heard = await member.call(`/api/premium-audio/${id}/female`, { method: 'HEAD' })
    expect(heard.status).toBe(200)
    expect(await workFolders()).toEqual([])
  })

  test('notifies the member whose item was narrated', async () => {
    const iris = await memberBrowser(app, 'iris@example.com')
    const draft = { title: 'The Pier', content: text, categories: ['romantic'] }
    const own = await iris.json('/api/user/content', { json: draft })
    await takeMails(services)
    await over(await enqueueNarration(db, own.id, 'female'))
    const [mail, ...others] = await takeMails(services)
    expect(others).toEqual([])
    expect(mail).toMatchObject({ to: 'iris@example.com', subject: 'About your narration' })
    expect(mail?.text).toContain('“The Pier” is narrated.')
  })

  test('replaces the current narration when repeated', async () => {
    const [item] = await db.select().from(stories).where(eq(stories.title, 'The Night Ferry'))
    await over(await enqueueNarration(db, item?.id ?? '', 'female'))
    const all = await db
      .select()
      .from(narrations)
      .where(eq(narrations.storyId, item?.id ?? ''))
    expect(all.filter(({ isCurrent }) => isCurrent)).toHaveLength(1)
  })

  test('queues nothing without text, and fails for good without words or on a removed item', async () => {
    const empty = await publishTestItem(services, { title: 'Empty', content: '' })
    expect(await enqueueNarration(db, empty.id, 'female')).toBeNull()
    expect(await enqueueNarration(db, crypto.randomUUID(), 'female')).toBeNull()

    const wordless = await publishTestItem(services, { title: 'Wordless', content: '… *** …' })
    expect(await over(await enqueueNarration(db, wordless.id, 'female'))).toMatchObject({
      state: 'failed',
      attempts: 1,
      error: 'There are no words to narrate in this text.',
    })
    const removed = await publishTestItem(services, { title: 'Removed', content: text, status: 'removed' })
    expect(await over(await enqueueNarration(db, removed.id, 'female'))).toMatchObject({
      state: 'failed',
      attempts: 1,
    })
  })

  test('stops its process and leaves no files when the job is cancelled', async () => {
    const { id } = await publishTestItem(services, { title: 'Long', content: `${text}\n\n`.repeat(300) })
    const job = await enqueueNarration(db, id, 'female')
    await until(async () => (await workFolders()).length > 0)
    await cancelJob(db, job ?? '', 'Ada')
    await until(async () => (await workFolders()).length === 0)
    expect(await workFolders()).toEqual([])
    expect((await jobOf(job))?.state).toBe('cancelled')
    expect(await db.select().from(narrations).where(eq(narrations.storyId, id))).toEqual([])
  })

  test('queues each missing narration of the library once, behind all other jobs', async () => {
    await db.delete(jobs)
    await worker?.stop()
    const queued = await narrateMissing(db)
    const rows = await db.select({ storyId: jobs.storyId, priority: jobs.priority }).from(jobs)
    expect(rows).toHaveLength(queued)
    expect(new Set(rows.map(({ priority }) => priority))).toEqual(new Set([500]))
    const [ferry] = await db.select().from(stories).where(eq(stories.title, 'The Night Ferry'))
    expect(rows.some(({ storyId }) => storyId === ferry?.id)).toBe(false)
    expect(await narrateMissing(db)).toBe(queued)
    expect(await db.select().from(jobs)).toHaveLength(queued)
  })

  test('lists missing free samples first, then screens of stories and flows, each newest first', async () => {
    const publishedAt = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000)
    for (let at = 1; at <= 13; at += 1)
      await publishTestItem(services, { title: `Story ${at}`, content: text, publishedAt: publishedAt(at) })
    await publishTestItem(services, {
      type: 'flow',
      title: 'Flow',
      content: text,
      publishedAt: publishedAt(20),
    })
    await publishTestItem(services, {
      title: 'Sample',
      content: text,
      isFree: true,
      publishedAt: publishedAt(30),
    })
    const titles = (await listMissing(db)).map(({ title }) => title)
    expect(titles[0]).toBe('Sample')
    const ours = titles.filter((title) => /^(Story \d+|Flow)$/.test(title))
    expect(ours.at(0)).toBe('Story 1')
    expect(ours.indexOf('Flow')).toBeGreaterThan(ours.indexOf('Story 2'))
    expect(ours.indexOf('Flow')).toBeLessThan(ours.indexOf('Story 13'))
    expect(ours.filter((title) => title !== 'Flow')).toEqual(
      Array.from({ length: 13 }, (_, at) => `Story ${at + 1}`),
    )
  })
})

describe('built-in voice', () => {
  test('waits for its turn between its steps in the background', async () => {
    const plan = await planSpeech(await enhanceText(`${text}\n\n`.repeat(10), 'story'), 'story')
    const path = join(env.dataDir, 'background.mp3')
    let turns = 0
    let isWaiting = false
    const request = { plan, voice: { kind: 'built-in', narrator: 'rachel' }, title: 'x', path } as const
    const spoken = await runSynthesisWorker(
      { ...request, isBackground: true },
      {
        signal: new AbortController().signal,
        progress: () => expect(isWaiting).toBe(false),
        async waitForTurn() {
          isWaiting = true
          turns += 1
          await Bun.sleep(1)
          isWaiting = false
        },
      },
    )
    expect(spoken.sentences).toBe(plan.sentences.length)
    expect(turns).toBeGreaterThan(0)
  })

  test('speaks as each of the ten narrators, with different audio for each', async () => {
    const hashes = new Set<string>()
    for (const narrator of narrators) {
      const path = join(env.dataDir, `${narrator}.mp3`)
      const plan = await planSpeech(
        await enhanceText('Good evening. <Come in> & sit down.', 'story'),
        'story',
      )
      const spoken = await runSynthesisWorker(
        { plan, voice: { kind: 'built-in', narrator }, title: 'x', path },
        { signal: new AbortController().signal, progress: () => {} },
      )
      expect(spoken.sentences).toBe(2)
      expect(Math.abs(spoken.lufs + 16)).toBeLessThan(0.6)
      hashes.add(new Bun.CryptoHasher('sha256').update(await Bun.file(path).bytes()).digest('hex'))
    }
    expect(hashes.size).toBe(narrators.length)
  })
})
