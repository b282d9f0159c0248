import type { SpeechPlan } from '../plan-speech'
import type { Narrator, VoiceProviderName } from '../rules'
import type { StudioVoice } from '../studio/request'

export type SpeechControl = { signal: AbortSignal; progress(share: number): void }

/** Somebody's voices. Each knows how its own protocol says a plan, and what it costs. */
export type VoiceProvider = {
  name: VoiceProviderName
  /** With which of its voices it speaks as a narrator, and whose name that voice has; null where it has none. */
  voiceOf(narrator: Narrator): { id: string; narrator: Narrator } | null
  /** What it counts of a plan, and what it charges for that. */
  price(plan: SpeechPlan): Price
  /** Has the plan spoken. Throws ProviderFailure. */
  speak(plan: SpeechPlan, voiceId: string, control: SpeechControl): Promise<StudioVoice>
}
export type Price = { characters: number; costUsd: number }

/**
 * Why a provider did not speak: `key` and `quota` are the operator's to mend, `content` is the text's,
 * `busy` and `away` pass, `answer` is an answer that is not what the protocol says.
 */
export type FailureKind = 'key' | 'quota' | 'content' | 'busy' | 'away' | 'answer'

/** The message is for operators: whose voice, what happened, what to do. */
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
