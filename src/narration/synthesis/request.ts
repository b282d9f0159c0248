import type { SpeechPlan } from '#src/narration/plan-speech'
import type { PackedTimings } from '#src/narration/timing/timing-rules'
import type { RecordedPhrase } from './recorded-voice'

/**
 * Input of the synthesis worker: the first line of stdin, as one JSON document. With `isBackground`, the worker waits
 * for an empty line after each line of progress.
 */
export type SynthesisRequest = {
  plan: SpeechPlan
  voice: SynthesisVoice
  title: string
  /** Path of the MP3. The temporary file is written beside it. */
  path: string
  isBackground?: boolean
}

/** eSpeak as a narrator, or a provider's audio: MP3 chunks and the position of each phrase in them. */
export type SynthesisVoice =
  | { kind: 'built-in'; narrator: string }
  | { kind: 'recorded'; chunks: string[]; phrases: RecordedPhrase[] }

/** The finished narration. */
export type Spoken = {
  durationSeconds: number
  lufs: number
  sentences: number
  peaks: number[]
  timings: PackedTimings
}

/** Output of the worker on stdout, one JSON document per line: the progress, then the result or the failure. */
export type SynthesisLine =
  | { progress: number }
  | { made: Spoken }
  | { failed: 'no_voice' | 'no_words' | 'error'; detail: string }
