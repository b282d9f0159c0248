import type { SynthesisVoice } from '#src/narration/synthesis/request'
import type { SpeechPlan } from '../plan-speech'
import type { Narrator, VoiceProviderName } from '../rules'

/** What is set to use a provider. */
export const keyVariables = { elevenlabs: 'ELEVENLABS_API_KEY', openai: 'OPENAI_API_KEY' } as const

export type SpeechControl = {
  signal: AbortSignal
  progress(share: number): void
  /** Of background work: waits until it may go on. */
  turn?: () => Promise<void>
}

/** A checked audio chunk of a provider; `note` are the data beside the audio. */
export type AudioChunk = { path: string; durationSeconds: number; note: unknown }
/** A provider's answer: audio shorter than `secondsMin` was cut off. */
export type SentAudio = { mp3: Uint8Array<ArrayBuffer>; note: unknown; secondsMin: number }
export type AudioChunks = {
  /** The chunk of a request: the stored one, or what `ask` gets, once for requests that are equal. */
  obtain(request: string, provider: string, ask: () => Promise<SentAudio>): Promise<AudioChunk>
}

export type ProviderControl = Pick<SpeechControl, 'signal' | 'progress'> & { chunks: AudioChunks }

/** A provider of voices, with its own way to synthesize a plan, and its price. */
export type VoiceProvider = {
  name: VoiceProviderName
  /** Its voice for a narrator, and that voice's name; null where it has none. */
  voiceOf(narrator: Narrator): { id: string; narrator: Narrator } | null
  /** The units that it counts of a plan, and their price. */
  price(plan: SpeechPlan): Price
  /** Has the plan synthesized. Throws ProviderFailure. */
  speak(plan: SpeechPlan, voiceId: string, control: ProviderControl): Promise<SynthesisVoice>
}
export type Price = { characters: number; costUsd: number }

/**
 * The kind of a provider's failure: `key` and `quota` are for the operator to fix, `content` is about the text,
 * `busy` and `away` are temporary, `answer` violates the protocol.
 */
export type FailureKind = 'key' | 'quota' | 'content' | 'busy' | 'away' | 'answer'

/** The message is for operators: the provider, the problem, the fix. */
export class ProviderFailure extends Error {
  readonly kind: FailureKind
  readonly retryAfterSeconds: number | undefined

  constructor(
    kind: FailureKind,
    message: string,
    options: { cause?: unknown; retryAfterSeconds?: number } = {},
  ) {
    super(message, { cause: options.cause })
    this.kind = kind
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}
