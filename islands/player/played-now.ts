import type { Track } from '#src/story/track-rules'

let played: Track | null = null

/** The track that is playing, or null. For code that is loaded without the player. */
export const playedNow = () => played

export function setPlayedNow(track: Track | null): void {
  played = track
}
