import type { Listening } from '#islands/player/listening'

/** The state of the loaded track that the player's modules share. */
export type Loaded = {
  /** Increases with every start; a start that finds it changed after awaiting was superseded. */
  turn: number
  listening: Listening | null
  /** A visitor hears the beginning alone; nothing of it is saved. */
  isPreview: boolean
  /** The state's position is a position to resume at, not merely 0. */
  isPlaceKnown: boolean
  /** The position, in seconds, that another tab of this browser has played to since; null where none has. */
  tabSeconds: number | null
  /** When it was last heard, in milliseconds; null while it plays, or where that is unknown. */
  pausedAtMs: number | null
  /** The version of the saved position that this player has read; null where it could not be read. */
  seenVersion: string | null
  /** Another device has moved the position, and the person has not chosen yet where to resume. */
  asked: { version: string; laterSeconds: number } | null
}

/** The state of a track whose position is unknown. */
export const nothingKnown = {
  listening: null,
  isPreview: false,
  isPlaceKnown: false,
  tabSeconds: null,
  pausedAtMs: null,
  seenVersion: null,
  asked: null,
} satisfies Partial<Loaded>

export const nothingLoaded: Loaded = { turn: 0, ...nothingKnown }
