import type { AudioExtension } from '#src/narration/rules'

/** The result of a walk through a whole audio file. */
export type WalkedAudio = {
  extension: AudioExtension
  durationSeconds: number
  sampleRateHz: number
  channels: number
  /** Warnings about playable audio, each with its fix. */
  warnings: string[]
}

/** Why a file cannot be played, worded as the end of "… cannot be used: ". */
export type WalkProblem = { problem: string }

/** The warning about a file that plays but is shorter than its own header states. */
export function missingWords(heldSeconds: number, promisedSeconds: number): string {
  const missing = Math.max(1, Math.round(promisedSeconds - heldSeconds))
  return `It is cut off: ${missing < 60 ? `${missing} s` : clock(missing)} of ${clock(promisedSeconds)} ${missing === 1 ? 'is' : 'are'} missing at the end. Send the whole file, if there is one.`
}

function clock(seconds: number): string {
  const whole = Math.round(seconds)
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}
