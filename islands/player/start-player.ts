import { listen, type PlayRequest } from '#islands/events'
import type { Player } from '#islands/player/create-player'
import { startPlayerKeys } from '#islands/player/keyboard'
import { startMediaSession } from '#islands/player/media-session'
import { isAskedBefore, readNotesChoice, readSeenNotes } from '#islands/player/notes-before'
import { playerState } from '#islands/player/state'
import { readStoredTrack } from '#islands/player/stored-track'
import { sendKeptReports } from '#islands/report-progress'

/**
 * Connects the player to whoever commands it, and begins with the request that woke it, or else with the
 * track of the last page. Where content notes come first, `ask` gets the request. Gives the way to stop.
 */
export function startPlayer(
  player: Player,
  request: PlayRequest | null,
  ask: (request: PlayRequest) => void,
): () => void {
  const play = (asked: PlayRequest) => {
    const loadedId = playerState().currentTrack?.id ?? null
    if (isAskedBefore(asked, loadedId, readNotesChoice(), readSeenNotes())) ask(asked)
    else player.play(asked)
  }
  const stops = [
    listen('nocturne:play', play),
    startMediaSession({ ...player, ...player.queue, seekTo: player.jumpTo }),
    startPlayerKeys((command) => {
      if (!playerState().currentTrack) return false
      if (command.type === 'undo') return player.undo()
      if (command.type === 'toggle') player.toggle()
      else player.skip(command.seconds)
      return true
    }),
    onHidden(player.hide),
    onReturn(() => void sendKeptReports()),
  ]
  void sendKeptReports()
  if (request) play(request)
  else {
    const stored = readStoredTrack()
    if (stored) player.restore(stored)
  }
  return () => {
    for (const stop of stops) stop()
  }
}

/** The network is back, or the person is. */
function onReturn(handle: () => void): () => void {
  const onChange = () => document.visibilityState === 'visible' && handle()
  addEventListener('online', handle)
  document.addEventListener('visibilitychange', onChange)
  return () => {
    removeEventListener('online', handle)
    document.removeEventListener('visibilitychange', onChange)
  }
}

/** Phones end hidden pages without a further word, so hiding counts like leaving. */
function onHidden(handle: () => void): () => void {
  const onChange = () => document.visibilityState === 'hidden' && handle()
  document.addEventListener('visibilitychange', onChange)
  addEventListener('pagehide', handle)
  return () => {
    document.removeEventListener('visibilitychange', onChange)
    removeEventListener('pagehide', handle)
  }
}
