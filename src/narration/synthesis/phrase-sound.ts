import type { Phrase } from '#src/narration/plan-speech'
import type { TimedWord } from '#src/narration/timing/split-words'

/** The audio of a phrase: mono samples from -1 to 1. The times of its words count from the first sample. */
export type PhraseSound = { samples: Float32Array; words: TimedWord[] }

/** A voice that synthesizes the phrases of a plan one after the other, in order. */
export type PhraseVoice = {
  /** 22,050 or 44,100 Hz. */
  sampleRateHz: number
  speak(phrase: Phrase): Promise<PhraseSound>
}
