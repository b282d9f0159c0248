import { pauseAfter } from '#islands/runtime/retry'

/** A loss of the connection during playback, until playback has got beyond it. */
export type Loss = {
  startedAtMs: number
  /** The position at which playback stopped. */
  positionSeconds: number
  attempts: number
}

/** Pauses before the attempts, as with a tunnel or a server that restarts. */
const pausesSeconds = [1, 2, 4, 8, 15, 30]
/** After this time sound that begins by itself would startle more than help: the person may be asleep. */
export const reconnectSecondsMax = 5 * 60
/** The part of a pause by which attempts are spread, so that not all listeners return to a server at once. */
const jitter = 0.25
/** Playback that stops again within this distance has not got beyond the loss. It may have come from a cache. */
const beyondSeconds = 10

/**
 * Returns the milliseconds until the next attempt to reconnect, or null if it would come too late. `random` is from 0
 * to 1, `retryAfterSeconds` the server's wish.
 */
export function planAttempt(
  loss: Loss,
  { nowMs, random, retryAfterSeconds = 0 }: { nowMs: number; random: number; retryAfterSeconds?: number },
): number | null {
  const pauseSeconds = pauseAfter(pausesSeconds, loss.attempts) * (1 - random * jitter)
  const delayMs = Math.max(pauseSeconds, retryAfterSeconds * (1 + random * jitter)) * 1_000
  return isOver(loss, nowMs + delayMs) ? null : delayMs
}

/** Whether it is too late to reconnect, such as after a phone has slept. */
export function isOver({ startedAtMs }: Loss, nowMs: number): boolean {
  return nowMs - startedAtMs > reconnectSecondsMax * 1_000
}

/** Whether playback that has stopped at a position has stopped because of the same loss. */
export function isSameLoss({ positionSeconds }: Loss, seconds: number): boolean {
  return Math.abs(seconds - positionSeconds) < beyondSeconds
}
