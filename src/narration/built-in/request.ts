import type { Pace } from './plan-speech'

/** What the speaking process reads from stdin, as one JSON document. */
export type SpeakRequest = {
  text: string
  narrator: string
  title: string
  pace: Pace
  /** Where the MP3 goes; the spool lies beside it. */
  path: string
}

/** What it writes to stdout, one JSON document a line: how far it is, then what it made or why it did not. */
export type SpeakLine =
  | { progress: number }
  | { made: { durationSeconds: number; lufs: number; sentences: number; peaks: number[] } }
  | { failed: 'no_voice' | 'no_words' | 'error'; detail: string }
