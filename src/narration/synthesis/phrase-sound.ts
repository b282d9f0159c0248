import type { Phrase } from '#src/narration/plan-speech'
import type { TimedWord } from '#src/narration/timing/split-words'

/** A phrase as sound, samples from -1 to 1, mono; its words timed from its first sample. */
export type PhraseSound = { samples: Float32Array; words: TimedWord[] }

/** A voice that synthesizes the phrases of a plan, one after the other in their order. */
export type PhraseVoice = {
  /** 22,050 or 44,100. */
  sampleRateHz: number
  speak(phrase: Phrase): Promise<PhraseSound>
}
