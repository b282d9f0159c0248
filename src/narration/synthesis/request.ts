import type { SpeechPlan } from '#src/narration/plan-speech'
import type { PackedTimings } from '#src/narration/timing/timing-rules'
import type { RecordedPhrase } from './recorded-voice'

/**
 * The input of the synthesis worker: the first line of stdin, as one JSON document. In the background each line of
 * progress then waits for an empty line.
 */
export type SynthesisRequest = {
  plan: SpeechPlan
  voice: SynthesisVoice
  title: string
  /** The path of the MP3; the temporary file lies beside it. */
  path: string
  isBackground?: boolean
}

/** eSpeak as a narrator, or a provider's audio: MP3 chunks, and the place of each phrase in them. */
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

/** The worker's output on stdout, one JSON document a line: the progress, then the result or the failure. */
export type SynthesisLine =
  | { progress: number }
  | { made: Spoken }
  | { failed: 'no_voice' | 'no_words' | 'error'; detail: string }
