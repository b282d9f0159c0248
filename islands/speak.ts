import { operatorFetch } from '#islands/operator-call'
import { urls } from '#src/urls'

/** A paragraph that was spoken: where it can be heard, who spoke and for how much. */
export type Spoken = { url: string; narrator: string; provider: string; costUsd: number }

/** Has a paragraph spoken at once. `url` is the page's own: revoke it when it is not heard any longer. */
export async function speak(text: string, voice: string): Promise<Spoken> {
  const response = await operatorFetch(urls.apiTestAudio(), { method: 'POST', body: { text, voice } })
  return {
    url: URL.createObjectURL(await response.blob()),
    narrator: response.headers.get('x-voice-narrator') ?? voice,
    provider: response.headers.get('x-voice-provider') ?? '',
    costUsd: Number(response.headers.get('x-voice-cost-usd') ?? 0),
  }
}
