import { atom, useAtomValue } from 'jotai'
import { useMemo } from 'react'
import { playerAtom } from '#islands/player/state'
import { useHydrated } from '#islands/runtime/use-hydrated'
import type { CardPlayback } from '#src/ui/card-controls'

/** The state of a track in the player; null while another one (or none) is loaded. */
export function useCardPlayback(trackId: string): CardPlayback | null {
  const playbackAtom = useMemo(
    () =>
      atom((get): CardPlayback | null => {
        const { currentTrack, isPlaying, isLoading, currentTime, duration } = get(playerAtom)
        if (currentTrack?.id !== trackId) return null
        // A loading track counts as playing: the next press pauses it.
        return { isPlaying: isPlaying || isLoading, positionSeconds: currentTime, durationSeconds: duration }
      }),
    [trackId],
  )
  const playback = useAtomValue(playbackAtom)
  return useHydrated() ? playback : null
}
