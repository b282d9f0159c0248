import type { Listening } from '#islands/player/listening'

/** What the parts of the player share about the track that is loaded. */
export type Loaded = {
  /** Rises with every start; one that waited for an answer and finds it changed was overtaken. */
  turn: number
  listening: Listening | null
  /** The state's position is where to go on, not merely a zero. */
  isPlaceKnown: boolean
  /** When it was last heard, in milliseconds; null while it plays, or where nobody knows. */
  pausedAtMs: number | null
}

export const nothingLoaded: Loaded = { turn: 0, listening: null, isPlaceKnown: false, pausedAtMs: null }
