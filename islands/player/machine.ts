import type { Track } from '#src/story/track-rules'

export type PlayerError = 'playback' | 'authRequired' | 'locked' | 'autoplay'

/** The player's state (docs/behaviour/player.md). Times in seconds. */
export type PlayerState = {
  currentTrack: Track | null
  isPlaying: boolean
  isLoading: boolean
  currentTime: number
  duration: number
  /** 0 to 1 */
  volume: number
  errorType: PlayerError | null
}

export const emptyPlayer: PlayerState = {
  currentTrack: null,
  isPlaying: false,
  isLoading: false,
  currentTime: 0,
  duration: 0,
  volume: 1,
  errorType: null,
}

export type PlayerEvent =
  /** A track was requested. */
  | { type: 'load'; track: Track; duration: number }
  /** The track of the last page is shown in the bar, paused. */
  | { type: 'offer'; track: Track; duration: number }
  /** The loaded track was requested again: after a pause, an error, a sign-in. */
  | { type: 'retry' }
  | { type: 'duration'; seconds: number }
  | { type: 'play' }
  | { type: 'wait' }
  | { type: 'pause' }
  | { type: 'time'; seconds: number }
  | { type: 'seek'; seconds: number }
  | { type: 'volume'; volume: number }
  | { type: 'end' }
  /** The connection was lost. The player waits for it. */
  | { type: 'lose' }
  | { type: 'fail'; errorType: PlayerError }
  | { type: 'close' }

/** Returns the player's next state. Pure: the actions of the audio element arrive as events. */
export function nextPlayerState(state: PlayerState, event: PlayerEvent): PlayerState {
  switch (event.type) {
    case 'load':
    case 'offer':
      return {
        ...emptyPlayer,
        volume: state.volume,
        currentTrack: event.track,
        isLoading: event.type === 'load',
        duration: readSeconds(event.duration),
      }
    case 'volume':
      return { ...state, volume: clamp(event.volume, 0, 1) }
    case 'close':
      return { ...emptyPlayer, volume: state.volume }
    default:
      // An event may arrive late, from an element whose track is closed.
      return state.currentTrack ? nextOfTrack(state, event) : state
  }
}

type TrackEvent = Exclude<PlayerEvent, { type: 'load' | 'offer' | 'volume' | 'close' }>

function nextOfTrack(state: PlayerState, event: TrackEvent): PlayerState {
  switch (event.type) {
    case 'retry':
      return { ...state, isLoading: true, errorType: null }
    case 'duration':
      return { ...state, duration: readSeconds(event.seconds) || state.duration }
    case 'play':
      return { ...state, isPlaying: true, isLoading: false, errorType: null }
    case 'wait':
      return { ...state, isLoading: true }
    case 'pause':
      // A pause while the connection is waited for ends the waiting. The next play starts again.
      return {
        ...state,
        isPlaying: false,
        isLoading: false,
        errorType: state.isLoading ? null : state.errorType,
      }
    case 'time':
      return { ...state, currentTime: readSeconds(event.seconds) }
    case 'seek':
      return { ...state, currentTime: clampPosition(event.seconds, state.duration) }
    case 'end':
      return { ...state, isPlaying: false, isLoading: false, currentTime: 0 }
    case 'lose':
      return { ...state, isPlaying: false, isLoading: true, errorType: 'playback' }
    case 'fail':
      return { ...state, isPlaying: false, isLoading: false, errorType: event.errorType }
  }
}

/** Clamps a position to the range from 0 to the duration. */
export function clampPosition(seconds: number, duration: number): number {
  return clamp(readSeconds(seconds), 0, readSeconds(duration))
}

function clamp(value: number, min: number, max: number): number {
  return Number.isNaN(value) ? min : Math.min(max, Math.max(min, value))
}

/** Reads a time of a media element: it reports NaN before the metadata is loaded, and Infinity for streams. */
function readSeconds(seconds: number): number {
  return Number.isFinite(seconds) ? Math.max(0, seconds) : 0
}
