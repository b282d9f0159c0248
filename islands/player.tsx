import { useEffect, useState } from 'react'
import type { PlayRequest } from '#islands/events'
import { loadFavorites } from '#islands/favorites-store'
import { ConnectedBar } from '#islands/player/connected-bar'
import { createPlayer } from '#islands/player/create-player'
import { NotesDialog } from '#islands/player/notes-dialog'
import { startPlayer } from '#islands/player/start-player'
import { AudioProvider } from '#islands/player/use-audio'

/**
 * The player: it stands beside the page and outlives it. The loader brings it with the first thing to play
 * as `request`, or without one after a full load, when something was loaded before.
 */
export default function PlayerIsland({ request }: { request: PlayRequest | null }) {
  const [player] = useState(createPlayer)
  const [asked, setAsked] = useState<PlayRequest | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the request is the first one; the next ones are events
  useEffect(() => startPlayer(player, request, setAsked), [player])
  useEffect(() => void loadFavorites(), [])
  return (
    <AudioProvider player={player}>
      <ConnectedBar />
      {asked && <NotesDialog asked={asked} onPlay={player.play} onClose={() => setAsked(null)} />}
    </AudioProvider>
  )
}
