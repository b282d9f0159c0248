import { useEffect, useState } from 'react'
import { loadFavorites } from '#islands/favorite/favorites-store'
import { ConnectedBar } from '#islands/player/connected-bar'
import { createPlayer } from '#islands/player/create-player'
import { NotesDialog } from '#islands/player/notes-dialog'
import { startPlayer } from '#islands/player/start-player'
import { AudioProvider } from '#islands/player/use-audio'
import type { PlayRequest } from '#islands/runtime/events'

/**
 * The player island. It lives beside the page and survives navigation. The loader mounts it with the first track as
 * `request`, or without one after a full load if a track was loaded before.
 */
export default function PlayerIsland({ request }: { request: PlayRequest | null }) {
  const [player] = useState(createPlayer)
  const [notesRequest, setNotesRequest] = useState<PlayRequest | null>(null)
  useEffect(() => startPlayer(player, request, setNotesRequest), [player, request])
  useEffect(() => void loadFavorites(), [])
  return (
    <AudioProvider player={player}>
      <ConnectedBar />
      {notesRequest && (
        <NotesDialog request={notesRequest} onPlay={player.play} onClose={() => setNotesRequest(null)} />
      )}
    </AudioProvider>
  )
}
