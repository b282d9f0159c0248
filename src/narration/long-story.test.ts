import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { audioFiles, jobs, narrations, narrationTimings } from '#db/schema'
import { runWorker } from '#src/job/worker'
import { type Timings, unpackTimings } from '#src/narration/timing/timing-rules'
import { editScript } from '#src/script/store-script'
import { sha256 } from '#src/security/keyed-hash'
import { loudnessMeter } from '#src/sound/loudness'
import { countWords } from '#src/story/rules'
import { memberBrowser, publishTestItem, testApp } from '#src/testing/app'
import { until } from '#src/testing/until'
import { enqueueNarration, narrateKind } from './enqueue'
import { narrateHandler } from './narrate'
import { decodeForTest, type Stretch, silencesOf } from './testing-sound'

/**
 * Synthesizes one story of more than three minutes with the built-in voice, from its script to its MP3, and analyses
 * the MP3. Mastering measures the gain on two minutes only, so that the rest is correct without having been measured.
 */
const { app, services } = await testApp()
const { db, log } = services
const scene =
  'The last boat left at ten, and by the time the harbour lights had thinned, she was asleep; or so he thought. “You’re not cold,” she whispered, “are you?” He laughed, shook his head, and pulled the wool up to his chin. Nobody minded the rain, not even the captain, who had seen it all before, in winter, when the lamps along the quay burned until noon.'
const markedScene = `${scene.replace('thought.', 'thought.[pause 2.2s]')}[pause 3s]`
const scenes = 7
const text = Array(scenes).fill(scene).join('\n\n')
const script = Array(scenes).fill(markedScene).join('\n\n')
const heard: { samples: Float32Array; sampleRate: number; timings: Timings; silences: Stretch[] } = {
  samples: new Float32Array(),
  sampleRate: 0,
  timings: { sentences: [], words: [] },
  silences: [],
}
let storyId = ''

const worker = runWorker(
  { db, log },
  { concurrency: 1, handlers: { [narrateKind]: narrateHandler(services) } },
)
afterAll(() => worker.stop())
beforeAll(async () => {
  const story = await publishTestItem(services, { title: 'The Night Ferry', content: text })
  storyId = story.id
  await editScript(db, storyId, { source: script }, 'Ada')
  const jobId = await enqueueNarration(db, storyId, 'female')
  await until(async () => {
    const [job] = await db
      .select()
      .from(jobs)
      .where(eq(jobs.id, jobId ?? ''))
    if (job?.error) throw new Error(`The job ended: ${job.error}`)
    return job?.state === 'done'
  })
  const member = await memberBrowser(app, 'mara@example.com')
  const response = await member.call(`/api/premium-audio/${storyId}/female`)
  Object.assign(heard, await decodeForTest(new Uint8Array(await response.arrayBuffer())))
  heard.silences = silencesOf(heard.samples, heard.sampleRate, { secondsMin: 0.11, level: 0.004 })
  const [stored] = await db.select().from(narrationTimings)
  expect(stored).toMatchObject({ source: 'voice', textHash: sha256(text) })
  heard.timings = unpackTimings(stored ?? { sentences: [], words: [] })
})

const near = (a: number, b: number) => Math.abs(a - b) <= 0.06

describe('narration of a story of 400 words', () => {
  test('has the duration stored in its row', async () => {
    expect(countWords(text)).toBeGreaterThan(400)
    const [row] = await db
      .select({ seconds: audioFiles.durationSeconds, peaks: audioFiles.peaks, cost: narrations.costUsd })
      .from(narrations)
      .innerJoin(audioFiles, eq(audioFiles.hash, narrations.audioHash))
      .where(eq(narrations.storyId, storyId))
    expect(heard.samples.length / heard.sampleRate).toBeCloseTo(row?.seconds ?? 0, 3)
    expect(row?.seconds).toBeGreaterThan(180)
    expect(row?.peaks).toHaveLength(800)
    expect(row?.cost).toBe(0)
    expect(heard.sampleRate).toBe(44_100)
  })

  test('has a loudness of -16 LUFS and peaks below -1 dB', () => {
    const meter = loudnessMeter(heard.sampleRate)
    meter.add(heard.samples)
    expect(Math.abs(meter.integratedLufs() + 16)).toBeLessThan(1)
    const peak = heard.samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)
    expect(20 * Math.log10(peak)).toBeLessThan(-1)
  })

  test('is silent where and for as long as the script’s pauses ask', () => {
    const long = (seconds: number) =>
      heard.silences.filter(
        ({ fromSeconds, toSeconds }) => Math.abs(toSeconds - fromSeconds - seconds) < 0.08,
      )
    expect(long(2.2)).toHaveLength(scenes)
    // The last pause is followed by the end of the file.
    expect(long(3)).toHaveLength(scenes - 1)
  })

  test('has every sentence within 60 ms of its timing', () => {
    const { sentences } = heard.timings
    expect(sentences.length).toBe(scenes * 4)
    for (const { startSeconds, endSeconds, at, length } of sentences) {
      expect(text.slice(at, at + length)).toMatch(/^[“\p{Lu}].*[.?”]$/su)
      expect(heard.silences.some(({ toSeconds }) => near(toSeconds, startSeconds))).toBe(true)
      expect(heard.silences.some(({ fromSeconds }) => near(fromSeconds, endSeconds))).toBe(true)
    }
  })

  test('has a word’s timing within 60 ms of every audible onset', () => {
    const { words } = heard.timings
    expect(words.length).toBe(text.match(/[\p{L}’]+/gu)?.length ?? 0)
    expect(words.filter(({ isExact }) => !isExact).length / words.length).toBeLessThan(0.05)
    // The level is that of speech: softer samples within a word may be closed lips.
    const onsets = silencesOf(heard.samples, heard.sampleRate, { secondsMin: 0.11, level: 0.012 })
      .map(({ toSeconds }) => toSeconds)
      .filter((at) => at < heard.samples.length / heard.sampleRate - 0.1)
    expect(onsets.length).toBeGreaterThan(scenes * 8)
    // A "t" or "b" is silent while the lips are closed, so its word begins a little before it is audible.
    const matched = onsets.filter((onset) => words.some(({ startSeconds }) => near(onset, startSeconds)))
    expect(matched).toEqual(onsets)
  })
})
