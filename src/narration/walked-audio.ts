import type { AudioExtension } from './rules'

/** What a walk through a whole audio file found. */
export type WalkedAudio = {
  extension: AudioExtension
  durationSeconds: number
  sampleRateHz: number
  channels: number
  /** What is odd but playable, each with its mend. */
  warnings: string[]
}

/** Why a file cannot be played, as the end of "… cannot be used: ". */
export type WalkProblem = {
  problem: string
  /** Of a file that is cut off: what it holds, and what its own header promised. */
  heldSeconds?: number
  promisedSeconds?: number
}
