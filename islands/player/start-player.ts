import { sendStoredReports } from '#islands/listening/report-progress'
import type { Player } from '#islands/player/create-player'
import { startPlayerKeys } from '#islands/player/keyboard'
import { startMediaSession } from '#islands/player/media-session'
import { needsNotes, readNotesChoice, readSeenNotes } from '#islands/player/notes-before'
import { playerState } from '#islands/player/state'
import { readStoredTrack, storeBar } from '#islands/player/stored-track'
import { type EventDetails, emit, listen, type PlayRequest } from '#islands/runtime/events'

/**
 * Connects the player to its controls. Restores the track of the last page, then plays `request`, which loaded the
 * player. If content notes are to be shown before playback, `ask` receives the request instead. Returns a function that
 * disconnects the player.
 */
export function startPlayer(
  player: Player,
  request: PlayRequest | null,
  ask: (request: PlayRequest) => void,
): () => void {
  const play = (request: PlayRequest) => {
    const loadedId = playerState().currentTrack?.id ?? null
    if (needsNotes(request, loadedId, readNotesChoice(), readSeenNotes())) ask(request)
    else player.play(request)
  }
  const stops = [
    listen('nocturne:play', play),
    listen('nocturne:leave', stayWhilePlaying),
    player.listenToOtherTabs(),
    startMediaSession({ ...player, ...player.queue, seekTo: player.jumpTo }),
    startPlayerKeys((command) => {
      if (!playerState().currentTrack) return false
      if (command.type === 'undo') return player.undo()
      if (command.type === 'toggle') player.toggle()
      else player.skip(command.seconds)
      return true
    }),
    onHidden(() => {
      player.hide()
      storeBar()
    }),
    onReturn(() => {
      void sendStoredReports()
      void player.reconnect()
      void player.recheck()
    }),
    onBarTouched(player.prefetch),
  ]
  void sendStoredReports()
  // Restore first, because the request may only add to the restored queue.
  const stored = readStoredTrack()
  if (stored) player.restore(stored)
  if (request) play(request)
  return () => {
    for (const stop of stops) stop()
  }
}

/** How long the check of a page may take. Nobody waits longer for a page. */
const lookMs = 15_000

/**
 * Prevents a full load, which would end playback, or the waiting for its audio or a lost connection, until it is clear
 * that the server has the page. An error of a proxy, or no response, must not end playback.
 */
function stayWhilePlaying({ inFull }: EventDetails['nocturne:leave'], event: Event): void {
  const { isPlaying, isLoading } = playerState()
  if (!inFull || !(isPlaying || isLoading)) return
  event.preventDefault()
  void loadUnlessAway(inFull)
}

async function loadUnlessAway(url: URL): Promise<void> {
  const signal = AbortSignal.timeout(lookMs)
  // The navigation under way removes the loading indicator and restores this page's address first.
  await Promise.resolve()
  const from = location.href
  document.documentElement.dataset.visiting = ''
  const isThere = await fetch(url, { method: 'HEAD', signal }).then(
    ({ status }) => status < 500,
    () => false,
  )
  // The person has gone to another page meanwhile.
  if (location.href !== from) return
  delete document.documentElement.dataset.visiting
  // Assigning the same address with a fragment would only scroll.
  if (isThere) return url.href === from ? location.reload() : location.assign(url)
  const kept = playerState().isPlaying ? 'Playback continues.' : 'Your place is kept.'
  emit('nocturne:toast', {
    kind: 'bad',
    title: 'This page could not be loaded',
    description: `${kept} Please try again in a moment.`,
  })
}

/** Calls `handle` when the network is back, or the page is visible again. */
function onReturn(handle: () => void): () => void {
  const onChange = () => document.visibilityState === 'visible' && handle()
  addEventListener('online', handle)
  document.addEventListener('visibilitychange', onChange)
  return () => {
    removeEventListener('online', handle)
    document.removeEventListener('visibilitychange', onChange)
  }
}

/** Calls `handle` at pointerdown on the bar, a moment before the click. */
function onBarTouched(handle: () => void): () => void {
  const bar = document.getElementById('player-host')
  bar?.addEventListener('pointerdown', handle)
  return () => bar?.removeEventListener('pointerdown', handle)
}

/**
 * Calls `handle` when the page is hidden. Phones close hidden pages without a further event, so hiding counts as
 * closing.
 */
function onHidden(handle: () => void): () => void {
  const onChange = () => document.visibilityState === 'hidden' && handle()
  document.addEventListener('visibilitychange', onChange)
  addEventListener('pagehide', handle)
  return () => {
    document.removeEventListener('visibilitychange', onChange)
    removeEventListener('pagehide', handle)
  }
}
