import { afterAll, describe, expect, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { and, eq } from 'drizzle-orm'
import { auditLog, jobs, narrations, stories } from '#db/schema'
import { runWorker } from '#src/job/worker'
import { unpackTimings } from '#src/narration/timing/timing-rules'
import { browser, memberBrowser, operatorBrowser, publishTestItem, testApp } from '#src/testing/app'
import { until } from '#src/testing/until'
import { narrateKind } from './enqueue'
import { narrateHandler } from './narrate'
import { toneMp3 } from './testing'
import { decodeForTest } from './testing-sound'
import { providerLimits } from './voice/limits'
import { elevenLabsAnswer, standIn } from './voice/testing-provider'

let isKeyRight = true
let refusedWord = 'nothing'
const eleven = standIn(({ body }) =>
  isKeyRight && !String(body.text).includes(refusedWord)
    ? elevenLabsAnswer(String(body.text))
    : Response.json({ detail: { status: 'invalid_api_key' } }, { status: 401 }),
)
const { app, services } = await testApp({ ELEVENLABS_BASE_URL: eleven.url, ELEVENLABS_API_KEY: 'a key' })
const alone = await testApp({ VOICE_ORDER: 'elevenlabs', ELEVENLABS_BASE_URL: eleven.url })
const { db, log } = services
const operator = await operatorBrowser(app)
const mara = await memberBrowser(app, 'mara@example.com')
const limits = { ...providerLimits, backoffSeconds: 0.01 }
const workers = [services, alone.services].map((each) =>
  runWorker(
    { db: each.db, log },
    { concurrency: 1, handlers: { [narrateKind]: narrateHandler(each, limits) } },
  ),
)
afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.stop()))
  await eleven.stop()
})

const over = (database: typeof db, id: string) =>
  until(async () => {
    const [job] = await database.select().from(jobs).where(eq(jobs.id, id))
    return job && job.state !== 'queued' && job.state !== 'running' && job
  })
const text = 'The last boat left at ten. “You’re not cold,” she said.'

describe('voice test', () => {
  const testVoice = (body: object) => operator.call('/api/test-audio', { json: body })

  test('returns 401 to visitors and members', async () => {
    for (const each of [browser(app), mara]) {
      for (const path of [
        '/api/test-audio',
        '/api/test-audio/estimate',
        `/api/stories/${crypto.randomUUID()}/narrate`,
      ])
        expect((await each.call(path, { json: { text, voices: ['rachel'] } })).status).toBe(401)
    }
  })

  test('returns an MP3 with its provider and cost, and is audited', async () => {
    const response = await testVoice({ text, voice: 'nova' })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('audio/mpeg')
    expect(response.headers.get('x-voice-provider')).toBe('built-in')
    const { samples, sampleRate } = await decodeForTest(new Uint8Array(await response.arrayBuffer()))
    expect(samples.length / sampleRate).toBeGreaterThan(3)
    const paid = await testVoice({ text, voice: 'rachel' })
    expect(paid.headers.get('x-voice-provider')).toBe('elevenlabs')
    expect(Number(paid.headers.get('x-voice-cost-usd'))).toBeCloseTo(0.016, 3)
    const entries = await db.select().from(auditLog).where(eq(auditLog.action, 'test_audio'))
    expect(entries.map(({ after }) => after)).toContainEqual(
      expect.objectContaining({ provider: 'elevenlabs', characters: expect.any(Number) }),
    )
  })

  test('rejects a missing, unspeakable or too long text and an unknown voice', async () => {
    for (const [body, message] of [
      [{ text: '', voice: 'rachel' }, 'No text provided'],
      [{ text: '  \n ', voice: 'rachel' }, 'No text provided'],
      [{ voice: 'rachel' }, 'No text provided'],
      [{ text: '… 🙂 …', voice: 'rachel' }, 'There are no words to narrate in this text.'],
      [
        { text: 'One [whisper] two', voice: 'rachel' },
        'Line 1, column 5: [whisper] is never closed. Add [/whisper].',
      ],
      [
        { text: 'word '.repeat(1_001), voice: 'rachel' },
        'The text has 5,005 characters; 5,000 are the most here. Try a paragraph.',
      ],
      [{ text, voice: 'gandalf' }, 'Voice must be female, male or one of'],
    ] as const) {
      const response = await testVoice(body)
      expect(response.status).toBe(422)
      expect((await response.json()).message).toStartWith(message)
    }
  })

  test('rejects a text against the guidelines', async () => {
    const response = await testVoice({ text: 'A story about sex with a minor.', voice: 'nova' })
    expect([response.status, (await response.json()).code]).toEqual([422, 'guideline_blocked'])
  })

  test('accepts right-to-left text, emoji and HTML', async () => {
    const response = await testVoice({ text: 'مرحبا بك <b>tonight</b> 🙂👩‍👩‍👧 & “sleep”…', voice: 'nova' })
    expect(response.status).toBe(200)
  })

  test('estimates costs without calling a provider', async () => {
    const before = eleven.requests.length
    const { voices } = await operator.json('/api/test-audio/estimate', {
      json: { text, voices: ['rachel', 'nova', 'male'] },
    })
    expect(voices).toMatchObject([
      { voice: 'rachel', provider: 'elevenlabs', narrator: 'rachel', characters: 54 },
      { voice: 'nova', provider: 'built-in', narrator: 'nova', characters: 54, costUsd: 0 },
      { voice: 'male', provider: 'elevenlabs', narrator: 'adam' },
    ])
    expect(voices[0].costUsd).toBeCloseTo(0.0162, 4)
    expect(voices[0].durationSeconds).toBeGreaterThan(3)
    expect(eleven.requests.length).toBe(before)
    expect((await operator.call('/api/test-audio/estimate', { json: { text, voices: [] } })).status).toBe(422)
  })
})

describe('narration by a provider', () => {
  test('records narrator, characters and cost, and serves timings to those who may hear it', async () => {
    const { id } = await publishTestItem(services, { title: 'The Night Ferry', content: text })
    const estimate = await operator.json(`/api/stories/${id}/narrate/estimate`, { json: {} })
    const { jobId } = await operator.json(`/api/stories/${id}/narrate`, { json: { voice: 'serena' } })
    expect(await over(db, jobId)).toMatchObject({
      state: 'done',
      result: { provider: 'elevenlabs', narrator: 'serena', fallbacks: [] },
    })
    const [row] = await db.select().from(narrations).where(eq(narrations.storyId, id))
    expect(row).toMatchObject({
      provider: 'elevenlabs',
      narrator: 'serena',
      jobId,
      spokenCharacters: estimate.characters,
    })
    expect(row?.costUsd).toBeCloseTo(estimate.costUsd, 6)

    const path = `/api/premium-audio/${id}/female/timings`
    expect((await browser(app).call(path)).status).toBe(403)
    const response = await mara.call(path)
    const answer = await response.json()
    expect(answer).toMatchObject({
      provider: 'elevenlabs',
      narrator: 'serena',
      timings: { source: 'voice', isOfThisText: true },
    })
    expect(answer.peaks).toHaveLength(800)
    const { sentences, words } = unpackTimings(answer.timings)
    expect(sentences.map(({ at, length }) => text.slice(at, at + length))).toEqual([
      'The last boat left at ten.',
      '“You’re not cold,” she said.',
    ])
    expect(words.every(({ isExact }) => isExact)).toBe(true)

    const etag = response.headers.get('etag') ?? ''
    expect((await mara.call(path, { headers: { 'if-none-match': etag } })).status).toBe(304)
    await db
      .update(stories)
      .set({ content: `${text} More.`, isFree: true })
      .where(eq(stories.id, id))
    const changed = await browser(app).call(path, { headers: { 'if-none-match': etag } })
    expect([changed.status, (await changed.json()).timings.isOfThisText]).toEqual([200, false])
    const again = (voice: string) => operator.json(`/api/stories/${id}/narrate/estimate`, { json: { voice } })
    expect(estimate.unspoken).toEqual([])
    expect((await again('serena')).unspoken).toEqual(['More.'])
    expect((await again('male')).unspoken).toEqual([])
    expect(await (await operator.call(`/studio/${id}`)).text()).toContain(
      'The female recording is of an earlier text: 1 of 3 sentences has to be spoken again.',
    )
    for (const gone of [`/api/premium-audio/${id}/male/timings`, '/api/premium-audio/x/female/timings'])
      expect((await mara.call(gone)).status).toBe(404)
  })

  test('has null timings when it was uploaded', async () => {
    const { id } = await publishTestItem(services, { title: 'Uploaded', content: text })
    const form = new FormData()
    form.set('audioFile', new File([await toneMp3(2)], 'uploaded.mp3'))
    form.set('voice', 'male')
    expect((await operator.call(`/api/premium-content/${id}/upload-audio`, { body: form })).status).toBe(200)
    expect(await mara.json(`/api/premium-audio/${id}/male/timings`)).toMatchObject({
      provider: 'upload',
      timings: null,
    })
  })

  test('fails on a wrong key without attaching anything, and succeeds when retried with a right one', async () => {
    isKeyRight = false
    const { id } = await publishTestItem(alone.services, { title: 'Locked', content: text })
    const other = await operatorBrowser(alone.app)
    const { jobId } = await other.json(`/api/stories/${id}/narrate`, { json: {} })
    const failed = await over(alone.services.db, jobId)
    expect(failed).toMatchObject({ state: 'failed', attempts: 1 })
    expect(failed.error).toBe('ElevenLabs rejects the key. Set ELEVENLABS_API_KEY to a valid one.')
    const attached = () =>
      alone.services.db
        .select()
        .from(narrations)
        .where(and(eq(narrations.storyId, id), eq(narrations.isCurrent, true)))
    expect(await attached()).toEqual([])
    isKeyRight = true
    await other.call(`/api/jobs/${jobId}/retry`, { method: 'POST' })
    expect(await over(alone.services.db, jobId)).toMatchObject({ state: 'done' })
    expect(await attached()).toHaveLength(1)
  })

  test('pays only for what is missing when retried, and leaves no files', async () => {
    const opening = 'The last boat left at ten, and nobody on the quay minded the rain at all. '.repeat(12)
    const { id } = await publishTestItem(alone.services, { title: 'Half', content: `${opening}Then dawn.` })
    const other = await operatorBrowser(alone.app)
    refusedWord = 'dawn'
    const before = eleven.requests.length
    const { jobId } = await other.json(`/api/stories/${id}/narrate`, { json: {} })
    expect(await over(alone.services.db, jobId)).toMatchObject({ state: 'failed' })
    refusedWord = 'nothing'
    await other.call(`/api/jobs/${jobId}/retry`, { method: 'POST' })
    expect(await over(alone.services.db, jobId)).toMatchObject({ state: 'done' })
    const asked = eleven.requests.slice(before).map(({ body }) => String(body.text).includes('dawn'))
    expect(asked).toEqual([false, true, true])
    expect(await readdir(join(alone.services.env.dataDir, 'speaking'))).toEqual([])
  })

  test('falls back to another voice, and the job records why', async () => {
    isKeyRight = false
    const { id } = await publishTestItem(services, { title: 'Fallen back', content: text })
    const { jobId } = await operator.json(`/api/stories/${id}/narrate`, { json: {} })
    isKeyRight = await over(db, jobId).then((job) => {
      expect(job.result).toMatchObject({
        provider: 'built-in',
        narrator: 'rachel',
        fallbacks: [expect.stringContaining('rejects the key')],
      })
      return true
    })
  })

  test('is neither queued nor estimated when no configured voice can speak the item', async () => {
    const own = await publishTestItem(alone.services, { title: 'Own', content: text, narratorFemale: 'nova' })
    const owner = await operatorBrowser(alone.app)
    for (const path of ['narrate', 'narrate/estimate'])
      expect((await owner.call(`/api/stories/${own.id}/${path}`, { json: { voice: 'female' } })).status).toBe(
        422,
      )

    const mute = await testApp({ VOICE_ORDER: 'elevenlabs' })
    const { id } = await publishTestItem(mute.services, { content: text })
    const other = await operatorBrowser(mute.app)
    for (const path of ['narrate', 'narrate/estimate']) {
      const response = await other.call(`/api/stories/${id}/${path}`, { json: {} })
      expect([path, response.status]).toEqual([path, 422])
      expect(await response.json()).toMatchObject({
        code: 'not_configured',
        message:
          'No configured voice speaks as rachel. Set ELEVENLABS_API_KEY, or add built-in to VOICE_ORDER.',
      })
    }
    expect(await mute.services.db.select().from(jobs)).toEqual([])
  })

  test('is not queued without a text, and fails for 200,000 words with a clear error', async () => {
    const empty = await publishTestItem(services, { title: 'Empty', content: '' })
    expect((await operator.call(`/api/stories/${empty.id}/narrate`, { json: {} })).status).toBe(422)
    const long = await publishTestItem(services, { title: 'Long', content: 'so it is. '.repeat(1) })
    await db
      .update(stories)
      .set({ content: 'so. '.repeat(200_000) })
      .where(eq(stories.id, long.id))
    const { jobId } = await operator.json(`/api/stories/${long.id}/narrate`, { json: {} })
    expect((await over(db, jobId)).error).toBe(
      'The text has 200,000 words; 100,000 are the most for one narration. Split it into parts.',
    )
  })
})
