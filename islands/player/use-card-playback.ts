import { atom, useAtomValue } from 'jotai'
import { useMemo } from 'react'
import { playerAtom } from '#islands/player/state'
import { useHydrated } from '#islands/runtime/use-hydrated'
import type { CardPlayback } from '#src/ui/card-controls'

/** Returns the state of a track in the player; null if another track or none is loaded. */
export function useCardPlayback(trackId: string): CardPlayback | null {
  const playbackAtom = useMemo(
    () =>
      atom((get): CardPlayback | null => {
        const { currentTrack, isPlaying, isLoading, currentTime, duration } = get(playerAtom)
        if (currentTrack?.id !== trackId) return null
        // A loading track counts as playing, because the next press pauses it.
        return { isPlaying: isPlaying || isLoading, positionSeconds: currentTime, durationSeconds: duration }
      }),
    [trackId],
  )
  const playback = useAtomValue(playbackAtom)
  return useHydrated() ? playback : null
}
