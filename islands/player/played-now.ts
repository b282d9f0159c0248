import type { Track } from '#src/story/track-rules'

let played: Track | null = null

/** The track that plays now, for code that comes without the player; null while none does. */
export const playedNow = () => played

export function setPlayedNow(track: Track | null): void {
  played = track
}
