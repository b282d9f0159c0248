import { createMp3Encoder } from 'wasm-media-encoders'

/** A request that a provider's stand-in received. */
export type SpeechRequest = { path: string; headers: Headers; body: Record<string, unknown> }
export type StandIn = { url: string; requests: SpeechRequest[]; stop(): Promise<void> }

/** Starts a local server that replaces a provider. `answer` implements its protocol, or a violation of it. */
export function standIn(
  answer: (request: SpeechRequest, times: number) => Response | Promise<Response>,
): StandIn {
  const requests: SpeechRequest[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 60,
    async fetch(request) {
      const url = new URL(request.url)
      const one = { path: url.pathname + url.search, headers: request.headers, body: await request.json() }
      requests.push(one)
      return answer(one, requests.length)
    },
  })
  return { url: `http://127.0.0.1:${server.port}`, requests, stop: () => server.stop(true) }
}

/** The length of a letter in the stand-ins' audio. Other characters are silence of that length. */
const letterSeconds = 0.06
const rateHz = 44_100

/** The audio of a text: a tone for each letter and digit, silence between the words. */
export function spokenTone(text: string): Float32Array {
  const characters = [...text]
  const per = Math.round(letterSeconds * rateHz)
  const samples = new Float32Array(per * (characters.length + 4))
  for (const [at, character] of characters.entries()) {
    if (!/[\p{L}\p{N}’]/u.test(character)) continue
    for (let index = at * per; index < (at + 1) * per; index += 1)
      samples[index] = 0.3 * Math.sin((2 * Math.PI * 300 * index) / rateHz)
  }
  return samples
}

/** An MP3 without an Info frame, as some servers send it: its audio begins 25 ms late. */
export async function plainMp3(samples: Float32Array): Promise<Uint8Array<ArrayBuffer>> {
  const encoder = await createMp3Encoder()
  encoder.configure({ channels: 1, sampleRate: rateHz, bitrate: 128 })
  const body = encoder.encode([samples]).slice()
  return Buffer.concat([body, encoder.finalize()])
}

/** ElevenLabs' answer with timestamps. */
export async function elevenLabsAnswer(text: string): Promise<Response> {
  const characters = [...text]
  const mp3 = await plainMp3(spokenTone(text))
  return Response.json({
    audio_base64: Buffer.from(mp3).toString('base64'),
    alignment: {
      characters,
      character_start_times_seconds: characters.map((_, at) => at * letterSeconds),
      character_end_times_seconds: characters.map((_, at) => (at + 1) * letterSeconds),
    },
  })
}

export async function openAiAnswer(text: string): Promise<Response> {
  return new Response(await plainMp3(spokenTone(text)), { headers: { 'content-type': 'audio/mpeg' } })
}
