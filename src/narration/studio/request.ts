import type { SpeechPlan } from '../plan-speech'
import type { PackedTimings } from '../timings'
import type { RecordedPhrase } from './recorded-voice'

/** What the speaking process reads from stdin, as one JSON document. */
export type StudioRequest = {
  plan: SpeechPlan
  voice: StudioVoice
  title: string
  /** Where the MP3 goes; the spool lies beside it. */
  path: string
}

/** eSpeak as a narrator, or what a provider has spoken already: MP3 files, and where each phrase lies in them. */
export type StudioVoice =
  | { kind: 'built-in'; narrator: string }
  | { kind: 'recorded'; takes: string[]; phrases: RecordedPhrase[] }

/** The narration as it came out. */
export type Spoken = {
  durationSeconds: number
  lufs: number
  sentences: number
  peaks: number[]
  timings: PackedTimings
}

/** What it writes to stdout, one JSON document a line: how far it is, then what it made or why it did not. */
export type StudioLine =
  | { progress: number }
  | { made: Spoken }
  | { failed: 'no_voice' | 'no_words' | 'error'; detail: string }
