import { toneMp3 } from '#src/narration/testing'
import { openTally, type Tally } from './client'
import { tortureToken } from './program'
import type { Random } from './random'
import { type Outcome, outcomeOf } from './report'
import { openTarget, type Target } from './target'
import { notesOf } from './under-load'

/** The range that a browser requests at once during playback: eight seconds at 64 kb/s. */
const blockBytes = 64 * 1024
const bytesPerSecond = 8_000
/** A player requests more when less than this is buffered. */
const aheadSeconds = 10
/** The longest stall that a listener accepts. */
const gapSecondsMax = 2

type Spike = { steadySeconds: number; spikeSeconds: number; listeners: number; perSecond: number }

/**
 * Sends ten times the steady load of pages, lists, positions and events for a while, while listeners play. Their audio
 * must not stall for more than two seconds, and the program must recover afterwards.
 */
export async function spikeLoad(random: Random, scene: Spike): Promise<Outcome> {
  const { steadySeconds, spikeSeconds, listeners, perSecond } = scene
  const target = await openTarget()
  const tally = openTally()
  try {
    const item = await publishTone(target, 150)
    const cookie = await signUp(target, '10.9.9.9')
    const players = Array.from({ length: listeners }, () => startPlayer(target, item, cookie))
    const requests = { next: () => requestOf(random, item), cookie, tally }
    const steady = await press(target, requests, { perSecond, seconds: steadySeconds })
    const spike = await press(target, requests, { perSecond: perSecond * 10, seconds: spikeSeconds })
    const after = await press(target, requests, { perSecond, seconds: steadySeconds })
    const gaps = await Promise.all(players.map((stop) => stop()))
    const silent = gaps.filter((seconds) => seconds > gapSecondsMax)
    return outcomeOf('spike of ten times', {
      tried: listeners,
      survived: listeners - silent.length,
      lost: silent.map((seconds) => `a listener heard nothing for ${seconds.toFixed(1)} s`),
      serverErrors: tally.serverErrors,
      note: `p95 ${steady} ms, in the spike ${spike} ms, after it ${after} ms; longest gap ${Math.max(...gaps).toFixed(2)} s; ${notesOf(tally)}`,
    })
  } finally {
    await target.stop()
  }
}

async function publishTone({ origin }: Target, seconds: number): Promise<string> {
  const headers = { authorization: `Bearer ${tortureToken}` }
  const made = await fetch(`${origin}/api/stories`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({
      title: 'The Lamp',
      content: 'She lit it and waited. '.repeat(60),
      categories: ['romantic'],
    }),
  })
  const { id } = await made.json()
  const form = new FormData()
  form.set('audioFile', new Blob([await toneMp3(seconds)], { type: 'audio/mpeg' }), 'tone.mp3')
  const sent = await fetch(`${origin}/api/premium-content/${id}/upload-audio`, {
    method: 'POST',
    headers,
    body: form,
  })
  if (!sent.ok) throw new Error(`The upload answered ${sent.status}.`)
  return String(id)
}

async function signUp({ origin }: Target, address: string): Promise<string> {
  const response = await fetch(`${origin}/api/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    body: JSON.stringify({ email: `${crypto.randomUUID()}@example.com`, password: 'lanterns on the water' }),
  })
  return response.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ')
}

/**
 * Plays an item over and over, as a browser does. Returns a function that stops it and returns the longest stall in
 * seconds.
 */
function startPlayer({ origin }: Target, item: string, cookie: string): () => Promise<number> {
  let isPlaying = true
  const play = async () => {
    let longestGap = 0
    let at = 0
    let playedUntil = performance.now()
    while (isPlaying) {
      const range = `bytes=${at}-${at + blockBytes - 1}`
      const bytes = await fetch(`${origin}/api/premium-audio/${item}/female`, {
        headers: { cookie, range },
      }).then(
        async (response) => (response.ok ? (await response.arrayBuffer()).byteLength : 0),
        () => 0,
      )
      const now = performance.now()
      if (bytes === 0 && at > 0) at = 0
      if (bytes === 0) {
        await Bun.sleep(50)
        continue
      }
      longestGap = Math.max(longestGap, (now - playedUntil) / 1_000)
      playedUntil = Math.max(playedUntil, now) + (bytes / bytesPerSecond) * 1_000
      at = bytes < blockBytes ? 0 : at + bytes
      await Bun.sleep(Math.max(0, playedUntil - aheadSeconds * 1_000 - performance.now()))
    }
    return longestGap
  }
  const playing = play()
  return () => {
    isPlaying = false
    return playing
  }
}

/**
 * Sends a number of requests per second, whether or not earlier ones are answered. Returns their p95 in milliseconds.
 */
async function press(
  { origin }: Target,
  { next, cookie, tally }: { next: () => SpikeRequest; cookie: string; tally: Tally },
  { perSecond, seconds }: { perSecond: number; seconds: number },
): Promise<number> {
  const took: number[] = []
  const running = new Set<Promise<void>>()
  const startedAt = performance.now()
  for (let sent = 0; sent < perSecond * seconds; sent += 1) {
    const due = startedAt + (sent * 1_000) / perSecond
    if (due > performance.now()) await Bun.sleep(due - performance.now())
    const one = send(origin, next(), cookie, tally).then((ms) => {
      took.push(ms)
      running.delete(one)
    })
    running.add(one)
  }
  await Promise.all(running)
  return Math.round(took.sort((a, b) => a - b)[Math.floor(took.length * 0.95)] ?? Number.NaN)
}

type SpikeRequest = { path: string; json?: unknown }

function requestOf(random: Random, item: string): SpikeRequest {
  const luck = random.share()
  if (luck < 0.5) return { path: random.pick(['/', '/stories', '/trending', '/home', '/my-content']) }
  if (luck < 0.7) return { path: '/api/content?limit=20' }
  if (luck < 0.9)
    return {
      path: '/api/analytics/progress',
      json: { contentId: item, contentType: 'story', lastPositionSec: random.whole(1, 140), reason: 'play' },
    }
  const event = { id: crypto.randomUUID(), eventType: 'page_view', timestamp: new Date().toISOString() }
  return { path: '/api/analytics/events', json: { events: [event] } }
}

async function send(
  origin: string,
  { path, json }: SpikeRequest,
  cookie: string,
  tally: Tally,
): Promise<number> {
  const startedAt = performance.now()
  tally.requests += 1
  const response = await fetch(origin + path, {
    method: json ? 'POST' : 'GET',
    headers: {
      cookie,
      'sec-fetch-site': 'same-origin',
      ...(json !== undefined && { 'content-type': 'application/json' }),
    },
    body: json === undefined ? undefined : JSON.stringify(json),
    signal: AbortSignal.timeout(30_000),
  }).catch(() => null)
  if (!response) tally.unanswered += 1
  else {
    await response.arrayBuffer().catch(() => null)
    tally.answered += 1
    if (response.status === 503) tally.unavailable += 1
    else if (response.status >= 500) {
      tally.serverErrors += 1
      tally.errors.set(
        `${response.status} ${path}`,
        (tally.errors.get(`${response.status} ${path}`) ?? 0) + 1,
      )
    }
  }
  return performance.now() - startedAt
}
