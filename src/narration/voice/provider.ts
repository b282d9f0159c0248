import type { SynthesisVoice } from '#src/narration/synthesis/request'
import type { SpeechPlan } from '../plan-speech'
import type { Narrator, VoiceProviderName } from '../rules'

/** Environment variables of the providers' keys. */
export const keyVariables = { elevenlabs: 'ELEVENLABS_API_KEY', openai: 'OPENAI_API_KEY' } as const

export type SpeechControl = {
  signal: AbortSignal
  progress(share: number): void
  /** Set for background work: waits until it may continue. */
  waitForTurn?: () => Promise<void>
}

/** A checked audio chunk of a provider. `note` is the data that accompanied the audio. */
export type AudioChunk = { path: string; durationSeconds: number; note: unknown }
/** A provider's answer. Audio shorter than `secondsMin` was truncated. */
export type SentAudio = { mp3: Uint8Array<ArrayBuffer>; note: unknown; secondsMin: number }
export type AudioChunks = {
  /**
   * Returns the chunk of a request: the stored one, or the result of `ask`, which is called once for equal requests.
   */
  obtain(request: string, provider: string, ask: () => Promise<SentAudio>): Promise<AudioChunk>
}

export type ProviderControl = Pick<SpeechControl, 'signal' | 'progress'> & { chunks: AudioChunks }

/** A provider of voices, its way to synthesize a plan, and its price. */
export type VoiceProvider = {
  name: VoiceProviderName
  /** The provider's voice for a narrator, and the narrator whose voice that is. Null if it has none. */
  voiceOf(narrator: Narrator): { id: string; narrator: Narrator } | null
  /** The characters that the provider charges for, and their price. */
  price(plan: SpeechPlan): Price
  /** Synthesizes the plan. Throws ProviderFailure. */
  speak(plan: SpeechPlan, voiceId: string, control: ProviderControl): Promise<SynthesisVoice>
}
export type Price = { characters: number; costUsd: number }

/**
 * The kind of a provider's failure: an operator has to fix `key` and `quota`; `content` is about the text; `busy` and
 * `away` are temporary; `answer` violates the protocol.
 */
export type FailureKind = 'key' | 'quota' | 'content' | 'busy' | 'away' | 'answer'

/** A provider's failure. The message is for operators: the provider, the problem, the fix. */
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
