import { atom, getDefaultStore } from 'jotai'
import { emptyPlayer, nextPlayerState, type PlayerEvent, type PlayerState } from '#islands/player/machine'

/** What plays, for every island: the bar, cards, item pages. Only the player itself writes it. */
export const playerAtom = atom<PlayerState>(emptyPlayer)
/** Times as fast as spoken. */
export const speedAtom = atom<number>(1)

const store = getDefaultStore()

export const playerState = () => store.get(playerAtom)
export const playerSpeed = () => store.get(speedAtom)

export function tellPlayer(event: PlayerEvent): void {
  store.set(playerAtom, nextPlayerState(store.get(playerAtom), event))
}

export function setPlayerSpeed(speed: number): void {
  store.set(speedAtom, speed)
}
