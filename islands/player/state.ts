import { atom, getDefaultStore } from 'jotai'
import { emptyPlayer, nextPlayerState, type PlayerEvent, type PlayerState } from '#islands/player/machine'
import type { OfferedPlace } from '#islands/player/place-offer'
import { setPlayedNow } from '#islands/player/played-now'
import { emptyQueue, type Queue } from '#islands/player/queue'
import type { SleepTimer } from '#islands/player/sleep-timer'

/** The note above the bar. Only the latest one is shown. */
export type PlayerNote =
  /** Two devices disagree about the position. */
  | { type: 'places'; places: OfferedPlace[] }
  /** A long jump, and the position before it. */
  | { type: 'moved'; fromSeconds: number; toSeconds: number }
  /** The position was moved back a little after a pause. */
  | { type: 'rewound'; seconds: number }
  | { type: 'next'; title: string; secondsLeft: number }
  /** The sleep timer has stopped playback, within an item or at its end. */
  | { type: 'slept'; isAtItemEnd: boolean }
  /** A visitor hears only the first `seconds` of a track. */
  | { type: 'preview'; seconds: number }
  /** The connection was lost, and the player waits for it. */
  | { type: 'reconnecting' }
  /** The track's first narration is being made. */
  | { type: 'narrating' }

/** The player's state, for every island: the bar, cards, item pages. Only the player writes it. */
export const playerAtom = atom<PlayerState>(emptyPlayer)
/** The playback speed as a factor. */
export const speedAtom = atom<number>(1)
export const noteAtom = atom<PlayerNote | null>(null)
export const queueAtom = atom<Queue>(emptyQueue)
export const autoPlayAtom = atom<boolean>(true)
/** The sleep timer, and the whole seconds until it stops playback; null if none runs. */
export const sleepAtom = atom<{ timer: SleepTimer; secondsLeft: number } | null>(null)

const store = getDefaultStore()

export const playerState = () => store.get(playerAtom)
export const playerSpeed = () => store.get(speedAtom)
export const playerNote = () => store.get(noteAtom)
export const playerQueue = () => store.get(queueAtom)
export const playerSleep = () => store.get(sleepAtom)
export const doesAutoPlay = () => store.get(autoPlayAtom)

export function dispatchPlayer(event: PlayerEvent): void {
  const next = nextPlayerState(store.get(playerAtom), event)
  store.set(playerAtom, next)
  setPlayedNow(next.isPlaying ? next.currentTrack : null)
}

export const setPlayerSpeed = (speed: number) => store.set(speedAtom, speed)
export const setNote = (note: PlayerNote | null) => store.set(noteAtom, note)
export const setQueue = (queue: Queue) => store.set(queueAtom, queue)
export const setSleep = (sleep: { timer: SleepTimer; secondsLeft: number } | null) =>
  store.set(sleepAtom, sleep)
export const setDoesAutoPlay = (does: boolean) => store.set(autoPlayAtom, does)
