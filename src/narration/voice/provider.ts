import type { SynthesisVoice } from '#src/narration/synthesis/request'
import type { SpeechPlan } from '../plan-speech'
import type { Narrator, VoiceProviderName } from '../rules'

export type SpeechControl = {
  signal: AbortSignal
  progress(share: number): void
  /** Of background work: waits until it may go on. */
  turn?: () => Promise<void>
}

/** A provider of voices, with its own way to synthesize a plan, and its price. */
export type VoiceProvider = {
  name: VoiceProviderName
  /** Its voice for a narrator, and that voice's name; null where it has none. */
  voiceOf(narrator: Narrator): { id: string; narrator: Narrator } | null
  /** The units that it counts of a plan, and their price. */
  price(plan: SpeechPlan): Price
  /** Has the plan synthesized. Throws ProviderFailure. */
  speak(plan: SpeechPlan, voiceId: string, control: SpeechControl): Promise<SynthesisVoice>
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
