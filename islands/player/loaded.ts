import type { Listening } from '#islands/player/listening'
import type { Loss } from '#islands/player/reconnect-plan'

/** State of the loaded track that is shared by the player's modules. */
export type Loaded = {
  /** Incremented by every start. A start that finds it changed after an await has been superseded. */
  turn: number
  listening: Listening | null
  /** A visitor hears only the beginning, and nothing of it is saved. */
  isPreview: boolean
  /** Whether something of the track was heard since it was loaded. */
  isHeard: boolean
  /** The loss of the connection that playback has not got beyond yet. */
  loss: Loss | null
  /** Whether the state's position is one to resume at, and not merely the initial 0. */
  isPlaceKnown: boolean
  /**
   * The position in seconds to which the person has made a long move since the last start; null if none. Until the saved
   * position is known, short moves start from an initial 0, and say nothing about where to play.
   */
  chosenSeconds: number | null
  /** The position in seconds that another tab of this browser has played to since; null if none has. */
  tabSeconds: number | null
  /** When the track was last heard, in milliseconds; null while it plays, or if that is unknown. */
  pausedAtMs: number | null
  /** The version of the saved position that this player has read; null if it could not be read. */
  seenVersion: string | null
  /** Set while the person is asked where to resume, because another device has moved the position. */
  asked: { version: string; laterSeconds: number } | null
}

/** The state of a track whose position is unknown. */
export const nothingKnown = {
  listening: null,
  isPreview: false,
  isHeard: false,
  loss: null,
  isPlaceKnown: false,
  chosenSeconds: null,
  tabSeconds: null,
  pausedAtMs: null,
  seenVersion: null,
  asked: null,
} satisfies Partial<Loaded>

export const nothingLoaded: Loaded = { turn: 0, ...nothingKnown }
