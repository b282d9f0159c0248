import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AppError } from '#src/app-error'
import { readEnv } from '#src/env'
import { unpackTimings } from '#src/narration/timing/timing-rules'
import { parseScript } from '#src/script/format/parse-script'
import { rejectionOf } from '#src/testing/rejection'
import { until } from '#src/testing/until'
import { planSpeech } from '../plan-speech'
import type { Narrator } from '../rules'
import { decodeForTest, silencesOf } from '../testing-sound'
import { linesOf } from './elevenlabs-lines'
import { providerLimits } from './limits'
import { speakPlan } from './speak-plan'
import { elevenLabsAnswer, openAiAnswer, type SpeechRequest, type StandIn, standIn } from './testing-provider'

const dataDir = mkdtempSync(join(tmpdir(), 'nocturne-voices-'))
const servers: StandIn[] = []
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()))
  rmSync(dataDir, { recursive: true, force: true })
})
function serve(answer: Parameters<typeof standIn>[0]): StandIn {
  const server = standIn(answer)
  servers.push(server)
  return server
}

const text = 'The last boat left at ten. “You’re not cold,” she said.\n\nNobody minded the rain.'
const source =
  'The last boat left at ten.[pause 1.5s] [whisper]“You’re not cold,”[/whisper] she said.\n\nNobody[pause 0.7s] minded the rain.'
const planOf = (script: string) => planSpeech(parseScript(script).script ?? [], 'story')
/**
 * The stand-ins encode their MP3s during the request, which takes seconds on a busy machine. The third backoff is up to
 * 0.06 s long and has to stay below `waitSecondsMax`.
 */
const limits = {
  ...providerLimits,
  connectSeconds: 10,
  totalSeconds: 60,
  backoffSeconds: 0.01,
  waitSecondsMax: 0.1,
}

let numbers = 0
function speak(
  environment: Record<string, string>,
  more: {
    script?: string
    narrator?: Narrator
    patience?: 'wait' | 'now'
    signal?: AbortSignal
    chunks?: string
  } = {},
) {
  numbers += 1
  const path = join(dataDir, `${numbers}.mp3`)
  const env = readEnv({ DATA_DIR: dataDir, ...environment })
  const { script = source, narrator = 'rachel', patience = 'now', chunks = `${path}-chunks` } = more
  const request = { narrator, title: 'The Night Ferry', path, chunks, patience }
  const control = { signal: more.signal ?? new AbortController().signal, progress: () => {} }
  const spoken = planOf(script).then((plan) => speakPlan(env, { plan, ...request }, control, limits))
  return { path, spoken }
}
async function refused(
  environment: Record<string, string>,
  more?: Parameters<typeof speak>[1],
): Promise<AppError> {
  const { spoken, path } = speak({ VOICE_ORDER: 'elevenlabs,openai', ...environment }, more)
  const error = await spoken.then(
    () => null,
    (thrown) => thrown,
  )
  expect(await Bun.file(path).exists()).toBe(false)
  if (!(error instanceof AppError)) throw error ?? new Error('It was spoken.')
  return error
}
const near = (a: number, b: number) => Math.abs(a - b) <= 0.06
const textOf = ({ body }: SpeechRequest) => String(body.text ?? body.input)

describe('ElevenLabs', () => {
  test('is called with its own protocol, and sentences, words and silences match the timings', async () => {
    const server = serve((request) => elevenLabsAnswer(textOf(request)))
    const { path, spoken } = speak({ ELEVENLABS_BASE_URL: server.url, ELEVENLABS_API_KEY: 'a key' })
    const made = await spoken
    expect(made).toMatchObject({ provider: 'elevenlabs', narrator: 'rachel', fallbacks: [], sentences: 3 })
    const [request] = server.requests
    expect(request?.path).toBe(
      '/v1/text-to-speech/21m00Tcm4TlvDq8ikWAM/with-timestamps?output_format=mp3_44100_128',
    )
    expect(request?.headers.get('xi-api-key')).toBe('a key')
    expect(request?.body).toMatchObject({
      model_id: 'eleven_multilingual_v2',
      text: 'The last boat left at ten.\n\n“You’re not cold,” she said.\n\nNobody minded the rain.',
    })
    expect(made.costUsd).toBeCloseTo((made.characters / 1_000) * 0.3, 9)

    const { samples, sampleRate } = await decodeForTest(await Bun.file(path).bytes())
    expect(samples.length / sampleRate).toBeCloseTo(made.durationSeconds, 3)
    const silences = silencesOf(samples, sampleRate, { secondsMin: 0.25, level: 0.01 })
    const lengths = silences.map(
      ({ fromSeconds, toSeconds }) => Math.round((toSeconds - fromSeconds) * 10) / 10,
    )
    expect(lengths).toEqual([0.3, 1.5, 0.8, 0.7, 0.8])
    const timings = unpackTimings(made.timings)
    for (const { startSeconds, endSeconds } of timings.sentences) {
      expect(silences.some(({ toSeconds }) => near(toSeconds, startSeconds))).toBe(true)
      expect(silences.some(({ fromSeconds }) => near(fromSeconds, endSeconds))).toBe(true)
    }
    const gaps = silencesOf(samples, sampleRate, { secondsMin: 0.03, level: 0.01 })
    expect(timings.words.map(({ at, length }) => text.slice(at, at + length)).join(' ')).toBe(
      'The last boat left at ten You’re not cold she said Nobody minded the rain',
    )
    for (const { startSeconds, isExact } of timings.words) {
      expect(isExact).toBe(true)
      expect(gaps.some(({ toSeconds }) => near(toSeconds, startSeconds))).toBe(true)
    }
  })

  test('gets lines of at most 850 characters, cut between sentences', async () => {
    const plan = await planOf('The last boat left at ten, and nobody on the quay minded. '.repeat(100))
    const lines = linesOf(plan, { hasTags: false })
    expect(Math.max(...lines.map((line) => line.text.length))).toBeLessThanOrEqual(850)
    expect(
      lines.every((line) => line.text.endsWith('minded.') && line.places.length === [...line.text].length),
    ).toBe(true)
    expect(lines.flatMap((line) => line.phrases)).toHaveLength(100)
  })

  test('version 3 gets its tags and not the preceding text', async () => {
    const server = serve((request) => elevenLabsAnswer(textOf(request)))
    await speak({ ELEVENLABS_BASE_URL: server.url, ELEVENLABS_MODEL: 'eleven_v3' }).spoken
    expect(server.requests[0]?.body.text).toBe(
      'The last boat left at ten.\n\n[whispers] “You’re not cold,” she said.\n\nNobody minded the rain.',
    )
    expect(server.requests[0]?.body).not.toHaveProperty('previous_text')
  })
})

describe('OpenAI', () => {
  test('gets one request per phrase, with styles as instructions', async () => {
    const server = serve((request) => openAiAnswer(textOf(request)))
    const { path, spoken } = speak(
      { OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_API_KEY: 'a key' },
      {
        script: source.replace(
          '[whisper]“You’re not cold,”[/whisper] she said.',
          '[whisper]“You’re not cold.”[/whisper]',
        ),
      },
    )
    const made = await spoken
    // The provider has no Rachel: the result names the narrator whose voice was used.
    expect(made).toMatchObject({ provider: 'openai', narrator: 'nova' })
    expect(server.requests.map(textOf).toSorted()).toEqual(
      ['The last boat left at ten.', '“You’re not cold.”', 'Nobody', 'minded the rain.'].toSorted(),
    )
    const whispered = server.requests.find((request) => textOf(request).includes('cold'))
    expect(whispered?.path).toBe('/v1/audio/speech')
    expect(whispered?.headers.get('authorization')).toBe('Bearer a key')
    expect(whispered?.body).toMatchObject({ model: 'gpt-4o-mini-tts', voice: 'nova', response_format: 'mp3' })
    expect(whispered?.body.instructions).toContain('Whisper.')
    const { samples, sampleRate } = await decodeForTest(await Bun.file(path).bytes())
    const silences = silencesOf(samples, sampleRate, { secondsMin: 0.25, level: 0.01 })
    expect(silences.map((each) => Math.round((each.toSeconds - each.fromSeconds) * 10) / 10)).toEqual([
      0.3, 1.5, 0.8, 0.7, 0.8,
    ])
    const { words, sentences } = unpackTimings(made.timings)
    expect(words.every(({ isExact }) => !isExact)).toBe(true)
    for (const { startSeconds } of sentences)
      expect(silences.some(({ toSeconds }) => near(toSeconds, startSeconds))).toBe(true)
  })

  test('is called once for a line that a flow repeats', async () => {
    const server = serve((request) => openAiAnswer(textOf(request)))
    const lines = ['Breathe in.', 'Hold it.', 'Let it go.', 'Rest.']
    const script = lines.flatMap((line) => [line, line, line]).join('\n\n')
    const made = await speak({ OPENAI_BASE_URL: server.url }, { script }).spoken
    expect(made).toMatchObject({ provider: 'openai', sentences: 12 })
    expect(server.requests.map(textOf).toSorted()).toEqual(lines.toSorted())
  })

  test('serves two concurrent narrations that share a sentence', async () => {
    const harbour = Promise.withResolvers<void>()
    const server = serve(async (request) => {
      if (textOf(request).includes('harbour')) await harbour.promise
      return openAiAnswer(textOf(request))
    })
    const environment = { OPENAI_BASE_URL: server.url, OPENAI_SPEECH_MODEL: 'tts-1' }
    const opening = 'The last boat left.'
    const story = speak(environment, { script: `${opening}\n\nThe harbour was dark.` })
    await until(() => server.requests.length === 2)
    await speak(environment, { script: opening }).spoken
    harbour.resolve()
    expect(await story.spoken).toMatchObject({ sentences: 2 })
  })

  test('uses alloy for unmapped male narrators and the configured voices for others', async () => {
    const server = serve((request) => openAiAnswer(textOf(request)))
    const environment = {
      OPENAI_BASE_URL: server.url,
      OPENAI_VOICES: 'josh=ash',
      OPENAI_SPEECH_MODEL: 'tts-1',
    }
    expect(await speak(environment, { script: 'One.', narrator: 'adam' }).spoken).toMatchObject({
      narrator: 'alloy',
    })
    expect(await speak(environment, { script: 'One.', narrator: 'josh' }).spoken).toMatchObject({
      narrator: 'josh',
    })
    expect(server.requests.map(({ body }) => body.voice)).toEqual(['alloy', 'ash'])
    expect(server.requests[0]?.body).not.toHaveProperty('instructions')
  })
})

describe('provider failure', () => {
  const eleven = (server: StandIn) => ({ ELEVENLABS_BASE_URL: server.url, ELEVENLABS_API_KEY: 'a key' })

  test('reports a wrong key after one call, without revealing it', async () => {
    const server = serve(() =>
      Response.json({ detail: { status: 'invalid_api_key', message: 'Invalid API key' } }, { status: 401 }),
    )
    const error = await refused(eleven(server))
    expect(error.code).toBe('not_configured')
    expect(error.message).toBe(
      'ElevenLabs rejects the key. Set ELEVENLABS_API_KEY to a valid one. It says: Invalid API key',
    )
    expect(server.requests).toHaveLength(1)
  })

  test('reports that credit is used up', async () => {
    const server = serve(() =>
      Response.json({ detail: { status: 'quota_exceeded', message: 'No credits' } }, { status: 401 }),
    )
    expect((await refused(eleven(server))).message).toStartWith('ElevenLabs has no credit left')
  })

  test('rejects a web page in place of speech', async () => {
    const server = serve(
      () => new Response('<html>Welcome</html>', { headers: { 'content-type': 'text/html' } }),
    )
    expect((await refused(eleven(server))).message).toContain('did not answer with speech and timings')
    const open = serve(() => new Response('<html>', { headers: { 'content-type': 'text/html' } }))
    const error = await refused({ OPENAI_BASE_URL: open.url })
    expect(error.code).toBe('unavailable')
    expect(error.message).toBe('OpenAI answered with a web page instead of audio. Check OPENAI_BASE_URL.')
  })

  test('rejects a truncated or invalid MP3', async () => {
    const server = serve(async (request) => {
      const mp3 = await (await openAiAnswer(textOf(request))).bytes()
      return new Response(mp3.subarray(0, mp3.byteLength * 0.4), {
        headers: { 'content-type': 'audio/mpeg' },
      })
    })
    expect((await refused({ OPENAI_BASE_URL: server.url })).message).toContain('audio that is cut off')
    const timed = serve(async (request) => {
      const answer = (await (await elevenLabsAnswer(textOf(request))).json()) as { audio_base64: string }
      const half = answer.audio_base64.slice(0, Math.floor(answer.audio_base64.length / 8) * 4)
      return Response.json({ ...answer, audio_base64: half })
    })
    expect((await refused(eleven(timed))).message).toContain('audio that is cut off')
    const nothing = serve(
      () => new Response('not sound at all', { headers: { 'content-type': 'audio/mpeg' } }),
    )
    expect((await refused({ OPENAI_BASE_URL: nothing.url })).message).toContain('incomplete MP3')
  })

  test('retries a 5xx answer three times, then reports it', async () => {
    const server = serve((request, times) =>
      times < 3 ? new Response('', { status: 500 }) : elevenLabsAnswer(textOf(request)),
    )
    expect(await speak(eleven(server), { script: 'One.' }).spoken).toMatchObject({ provider: 'elevenlabs' })
    expect(server.requests).toHaveLength(3)
    const down = serve(() => new Response('', { status: 503 }))
    const error = await refused(eleven(down))
    expect([error.code, down.requests.length]).toEqual(['unavailable', 4])
    expect(error.message).toBe('ElevenLabs has an internal error (503).')
  })

  test('stops calling the provider for a minute after five failures in a row', async () => {
    const down = serve(() => new Response('', { status: 500 }))
    await refused(eleven(down))
    const error = await refused(eleven(down))
    expect(down.requests).toHaveLength(5)
    expect(error.message).toContain('failed several times in a row. It is asked again in')
    expect(error.retryAfterSeconds).toBeGreaterThan(50)
  })

  test('returns to the queue after a long 429, or uses the next voice if it may not wait', async () => {
    const server = serve(() =>
      Response.json(
        { detail: { status: 'rate_limit_exceeded' } },
        { status: 429, headers: { 'retry-after': '60' } },
      ),
    )
    const error = await refused(eleven(server), { patience: 'wait' })
    expect([error.code, error.retryAfterSeconds, server.requests.length]).toEqual(['throttled', 60, 1])
    const made = await speak({ ...eleven(server) }, { script: 'One.' }).spoken
    expect(made).toMatchObject({ provider: 'built-in', narrator: 'rachel', costUsd: 0 })
    expect(made.fallbacks).toEqual(['ElevenLabs has received too many requests.'])
  })

  test('waits for a short Retry-After in place', async () => {
    const server = serve((request, times) =>
      times === 1
        ? new Response('', { status: 429, headers: { 'retry-after': '0.01' } })
        : elevenLabsAnswer(textOf(request)),
    )
    expect(await speak(eleven(server), { script: 'One.' }).spoken).toMatchObject({ provider: 'elevenlabs' })
  })

  test('times out on a hanging provider and reports an unreachable one', async () => {
    const hanging = serve(() => new Promise<Response>(() => {}))
    const impatient = { ...limits, totalSeconds: 1, retries: 0 }
    const env = readEnv({ DATA_DIR: dataDir, VOICE_ORDER: 'openai', OPENAI_BASE_URL: hanging.url })
    const request = {
      plan: await planOf('One.'),
      narrator: 'nova' as const,
      title: '',
      path: join(dataDir, 'x.mp3'),
      chunks: join(dataDir, 'x-chunks'),
      patience: 'now' as const,
    }
    const control = { signal: new AbortController().signal, progress: () => {} }
    expect((await rejectionOf(speakPlan(env, request, control, impatient))).message).toContain(
      'OpenAI did not answer within 1 s.',
    )
    const gone = serve(() => new Response())
    await gone.stop()
    expect((await refused({ OPENAI_BASE_URL: gone.url })).message).toContain('OpenAI cannot be reached')
  })

  test('uses the next voice for a text that a provider declines', async () => {
    const strict = serve(() =>
      Response.json({ detail: { status: 'content_against_policy', message: 'No' } }, { status: 400 }),
    )
    const open = serve((request) => openAiAnswer(textOf(request)))
    const made = await speak({ ...eleven(strict), OPENAI_BASE_URL: open.url }, { script: 'One.' }).spoken
    expect(made).toMatchObject({
      provider: 'openai',
      narrator: 'nova',
      fallbacks: ['ElevenLabs declines to speak this text. It says: No'],
    })
    const both = serve(() => Response.json({ error: { code: 'content_policy_violation' } }, { status: 400 }))
    const error = await refused({ ...eleven(strict), OPENAI_BASE_URL: both.url })
    expect(error.code).toBe('conflict')
    expect(error.message).toContain('OpenAI declines to speak this text.')
  })

  test('does not send the key along a redirect', async () => {
    const thief = serve(() => new Response())
    const server = serve(() => Response.redirect(thief.url, 302))
    expect((await refused(eleven(server))).message).toContain('does not know this address')
    expect(thief.requests).toEqual([])
  })

  test('does not pay again for audio already received', async () => {
    const down = { is: true }
    const long = 'The last boat left at ten, and nobody on the quay minded the rain at all. '.repeat(20)
    const server = serve((request) =>
      down.is && !textOf(request).startsWith('The last boat')
        ? new Response('', { status: 400 })
        : elevenLabsAnswer(textOf(request)),
    )
    const script = `${long}\n\n${'And then it was morning, and the lamps went out one by one. '.repeat(14)}`
    const environment = { ...eleven(server) }
    const chunks = join(dataDir, 'paid')
    await refused(environment, { script, chunks })
    const paid = server.requests.length - 1
    expect(paid).toBeGreaterThan(0)
    down.is = false
    const made = await speak(environment, { script, chunks }).spoken
    const lines = linesOf(await planOf(script), { hasTags: false })
    expect(server.requests).toHaveLength(1 + lines.length)
    expect(made.provider).toBe('elevenlabs')
  })

  test('names the settings to change when no voice is configured', async () => {
    for (const [environment, narrator, message] of [
      [
        { VOICE_ORDER: 'elevenlabs' },
        'rachel',
        'No configured voice speaks as rachel. Set ELEVENLABS_API_KEY, or add built-in to VOICE_ORDER.',
      ],
      [
        { VOICE_ORDER: 'openai,elevenlabs' },
        'nova',
        'No configured voice speaks as nova. Set OPENAI_API_KEY, or add built-in to VOICE_ORDER.',
      ],
      [
        { VOICE_ORDER: 'openai,elevenlabs' },
        'adam',
        'No configured voice speaks as adam. Set OPENAI_API_KEY or ELEVENLABS_API_KEY, or add built-in to VOICE_ORDER.',
      ],
      [
        // ElevenLabs has no such voice, with or without a key.
        { VOICE_ORDER: 'elevenlabs' },
        'nova',
        'No configured voice speaks as nova. Add built-in to VOICE_ORDER.',
      ],
      [
        { VOICE_ORDER: 'elevenlabs', ELEVENLABS_API_KEY: 'a-key' },
        'nova',
        'No configured voice speaks as nova. Add built-in to VOICE_ORDER.',
      ],
    ] as const) {
      const error = await refused(environment, { narrator })
      expect([error.code, error.message]).toEqual(['not_configured', message])
    }
  })
})
