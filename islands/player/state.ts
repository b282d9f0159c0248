import { atom, getDefaultStore } from 'jotai'
import { emptyPlayer, nextPlayerState, type PlayerEvent, type PlayerState } from '#islands/player/machine'
import type { PlayerNote } from '#islands/player/notes'
import { emptyQueue, type Queue } from '#islands/player/queue'
import type { SleepTimer } from '#islands/player/sleep-timer'

/** What plays, for every island: the bar, cards, item pages. Only the player itself writes these. */
export const playerAtom = atom<PlayerState>(emptyPlayer)
/** Times as fast as spoken. */
export const speedAtom = atom<number>(1)
export const noteAtom = atom<PlayerNote | null>(null)
export const queueAtom = atom<Queue>(emptyQueue)
export const autoPlayAtom = atom<boolean>(true)
/** The sleep timer, and how long until it is quiet, in whole seconds; null where none runs. */
export const sleepAtom = atom<{ timer: SleepTimer; secondsLeft: number } | null>(null)

const store = getDefaultStore()

export const playerState = () => store.get(playerAtom)
export const playerSpeed = () => store.get(speedAtom)
export const playerNote = () => store.get(noteAtom)
export const playerQueue = () => store.get(queueAtom)
export const playerSleep = () => store.get(sleepAtom)
export const doesAutoPlay = () => store.get(autoPlayAtom)

export function tellPlayer(event: PlayerEvent): void {
  store.set(playerAtom, nextPlayerState(store.get(playerAtom), event))
}

export const setPlayerSpeed = (speed: number) => store.set(speedAtom, speed)
export const setNote = (note: PlayerNote | null) => store.set(noteAtom, note)
export const setQueue = (queue: Queue) => store.set(queueAtom, queue)
export const setSleep = (sleep: { timer: SleepTimer; secondsLeft: number } | null) =>
  store.set(sleepAtom, sleep)
export const setDoesAutoPlay = (does: boolean) => store.set(autoPlayAtom, does)
