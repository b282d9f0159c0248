import { operatorApi } from '#islands/runtime/operator-api'

/** A synthesized paragraph: its address, narrator, provider and cost. */
export type Spoken = { url: string; narrator: string; provider: string; costUsd: number }

/** Synthesizes a paragraph at once. `url` is an object URL: revoke it when it is no longer played. */
export async function speak(text: string, voice: string): Promise<Spoken> {
  let headers = new Headers()
  const onResponse = (response: Response) => {
    headers = response.headers
  }
  const audio = await operatorApi('POST /api/test-audio', { body: { text, voice }, onResponse })
  return {
    url: URL.createObjectURL(audio),
    narrator: headers.get('x-voice-narrator') ?? voice,
    provider: headers.get('x-voice-provider') ?? '',
    costUsd: Number(headers.get('x-voice-cost-usd') ?? 0),
  }
}
