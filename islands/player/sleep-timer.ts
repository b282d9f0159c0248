import { fadeSeconds } from '#src/listening/rules'

/** A timer that stops playback at a time of day, or at the end of the current item. */
export type SleepTimer = { type: 'time'; minutes: number; endsAtMs: number } | { type: 'item' }

export function timerOf(minutes: number, nowMs: number): SleepTimer {
  return { type: 'time', minutes, endsAtMs: nowMs + minutes * 60_000 }
}

/** Extends a timer by some minutes. The end of an item cannot be moved. */
export function extended(timer: SleepTimer, minutes: number): SleepTimer {
  return timer.type === 'item' ? timer : { ...timer, endsAtMs: timer.endsAtMs + minutes * 60_000 }
}

/** Returns the seconds until playback stops. `itemSecondsLeft` is the rest of the item at the current speed. */
export function secondsLeft(timer: SleepTimer, nowMs: number, itemSecondsLeft: number): number {
  return Math.max(0, timer.type === 'item' ? itemSecondsLeft : (timer.endsAtMs - nowMs) / 1_000)
}

/** Returns the factor of the volume, 0 to 1, when `seconds` are left: a linear fade. */
export function fadeOf(seconds: number): number {
  return Math.min(1, Math.max(0, seconds / fadeSeconds))
}

/** Formats the time left: "24 min", and in the last minute "24 s". */
export function leftWords(seconds: number): string {
  return seconds < 60 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`
}

/** Parses a stored timer; null if it is invalid. */
export function readTimer(text: string | null): SleepTimer | null {
  if (text === 'item') return { type: 'item' }
  const [minutes = 0, endsAtMs = 0] = (text ?? '').split(' ').map(Number)
  return minutes > 0 && endsAtMs > 0 ? { type: 'time', minutes, endsAtMs } : null
}

export function writeTimer(timer: SleepTimer): string {
  return timer.type === 'item' ? 'item' : `${timer.minutes} ${timer.endsAtMs}`
}
