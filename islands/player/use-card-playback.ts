import { atom, useAtomValue } from 'jotai'
import { useMemo } from 'react'
import { playerAtom } from '#islands/player/state'
import { useHydrated } from '#islands/use-hydrated'
import type { CardPlayback } from '#src/ui/card-controls'

/** Where a track is in the player; null while something else (or nothing) is loaded. */
export function useCardPlayback(trackId: string): CardPlayback | null {
  const playbackAtom = useMemo(
    () =>
      atom((get): CardPlayback | null => {
        const { currentTrack, isPlaying, isLoading, currentTime, duration } = get(playerAtom)
        if (currentTrack?.id !== trackId) return null
        // What is on its way counts as playing: the next press stops it.
        return { isPlaying: isPlaying || isLoading, positionSeconds: currentTime, durationSeconds: duration }
      }),
    [trackId],
  )
  const playback = useAtomValue(playbackAtom)
  return useHydrated() ? playback : null
}
