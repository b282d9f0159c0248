import { useAtomValue } from 'jotai'
import { createContext, type ReactNode, useContext } from 'react'
import type { Player } from '#islands/player/create-player'
import { playerAtom, speedAtom } from '#islands/player/state'

const PlayerContext = createContext<Player | null>(null)

/** Provides the player to the components inside. */
export function AudioProvider({ player, children }: { player: Player; children: ReactNode }) {
  return <PlayerContext value={player}>{children}</PlayerContext>
}

/** Returns the player's state and its commands. Throws outside of an AudioProvider. */
export function useAudio() {
  const player = useContext(PlayerContext)
  if (!player) throw new Error('useAudio must be used within an AudioProvider')
  return { ...useAtomValue(playerAtom), speed: useAtomValue(speedAtom), player }
}
