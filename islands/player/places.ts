import type { AudioOutput } from '#islands/player/audio-element'
import type { Loaded } from '#islands/player/loaded'
import { hideNote, showNote } from '#islands/player/notes'
import { movedPlaces, offeredPlaces } from '#islands/player/place-offer'
import { findSavedProgress } from '#islands/player/saved-progress'
import { startOf } from '#islands/player/start-position'
import { dispatchPlayer, playerState } from '#islands/player/state'
import { contentOf } from '#islands/player/track-content'
import { deviceId } from '#islands/runtime/device-id'
import { isMovedElsewhere, noVersion } from '#src/listening/rules'
import type { Progress, ProgressWithPlaces } from '#src/listening/schema'

/** How long a press on play waits for the server. A later answer can still lead to an offer. */
const waitingMs = 1_000
/** How long an answer stays usable, so that one requested at pointerdown serves the click that follows. */
const freshMs = 1_000

/**
 * Offers both positions if two devices disagree. The player resumes at the saved one, the last that the person heard on
 * any device; the other is one press away.
 */
export function offerPlaces(saved: ProgressWithPlaces | null, durationSeconds: number): void {
  const places = offeredPlaces(saved, deviceId(), durationSeconds)
  if (places.length > 0) showNote({ type: 'places', places })
}

/** Notes that the person has chosen where to resume, so that playback from there is reported. */
export function choosePlace(loaded: Loaded): void {
  if (loaded.asked) loaded.seenVersion = loaded.asked.version
  loaded.asked = null
  hideNote('places')
}

export type Places = ReturnType<typeof createPlaces>

/**
 * Checks before the player resumes whether another device has moved the position. If so, the person is asked, and this
 * player's reports are held until they choose.
 */
export function createPlaces(output: AudioOutput, loaded: Loaded) {
  let last: { turn: number; atMs: number; answer: ReturnType<typeof findSavedProgress> } | null = null

  /** Fetches the saved position. A pointerdown and the click that follows share one request. */
  function fetchPosition(): ReturnType<typeof findSavedProgress> {
    const { currentTrack } = playerState()
    const content = currentTrack && contentOf(currentTrack)
    if (!content) return Promise.resolve(null)
    const nowMs = performance.now()
    if (last?.turn === loaded.turn && nowMs - last.atMs < freshMs) return last.answer
    last = { turn: loaded.turn, atMs: nowMs, answer: findSavedProgress(content) }
    return last.answer
  }

  /** Whether playback may start. A second press while the person is asked resumes at the player's own position. */
  async function mayResume(): Promise<boolean> {
    const mine = loaded.turn
    const isSeen = document.visibilityState === 'visible'
    if (loaded.asked && isSeen) choosePlace(loaded)
    else if (!loaded.asked) {
      const answer = fetchPosition()
      const saved = await Promise.race([answer, after(waitingMs)])
      if (mine !== loaded.turn) return false
      if (saved === undefined)
        void answer.then((late) => mine === loaded.turn && late && offerMoved(loaded, late))
      if (!saved || !offerMoved(loaded, saved)) return true
      if (isSeen) {
        moveToLater(output, loaded)
        dispatchPlayer({ type: 'pause' })
        return false
      }
    }
    resumeHidden(output, loaded)
    return true
  }

  return {
    mayResume,
    /** Call it at pointerdown on the bar, so that the answer is there at the click. */
    prefetch(): void {
      if (isSilent(loaded)) void fetchPosition()
    },
    /** Call it when the page is visible again: the check runs before any press. */
    async recheck(): Promise<void> {
      const mine = loaded.turn
      if (!isSilent(loaded)) return
      const saved = await fetchPosition()
      if (saved && mine === loaded.turn && isSilent(loaded) && !loaded.asked && offerMoved(loaded, saved))
        moveToLater(output, loaded)
    },
    /** The version that reports are based on. They are held while the person is asked. */
    reporting: {
      basedOn: () => loaded.seenVersion ?? undefined,
      isHeld: () => loaded.asked !== null,
      /** Receives the server's response to a report. It may contain another device's position. */
      async onSaved({ contentId, version }: Progress): Promise<void> {
        const mine = loaded.turn
        const { currentTrack } = playerState()
        if (!currentTrack || contentOf(currentTrack)?.contentId !== contentId || loaded.asked) return
        if (!isMovedElsewhere(version, loaded.seenVersion ?? noVersion, deviceId())) {
          loaded.seenVersion = version
          return
        }
        const saved = await fetchPosition()
        if (saved && mine === loaded.turn) offerMoved(loaded, saved)
      },
    },
  }
}

/** Makes an offer if another device has moved the position. Returns whether there is an offer. */
function offerMoved(loaded: Loaded, saved: ProgressWithPlaces): boolean {
  if (loaded.asked) return true
  const { version } = saved
  if (!isMovedElsewhere(version, loaded.seenVersion ?? noVersion, deviceId())) return false
  const { currentTime, duration } = playerState()
  const places = movedPlaces(saved, deviceId(), { hereSeconds: currentTime, durationSeconds: duration })
  if (places.length === 0) {
    loaded.seenVersion = version
    return false
  }
  loaded.asked = { version, laterSeconds: startOf(saved, duration) }
  showNote({ type: 'places', places })
  return true
}

/** Moves a paused player to the later position while it asks: it must never resume at the older one unasked. */
function moveToLater(output: AudioOutput, { asked, listening }: Loaded): void {
  if (!asked) return
  const { laterSeconds } = asked
  dispatchPlayer({ type: 'time', seconds: laterSeconds })
  listening?.onRewind(laterSeconds)
  if (output.hasSource()) output.seek(laterSeconds)
}

/** Resumes at the latest position on a hidden page, where nobody can answer. The offer stays visible. */
function resumeHidden(output: AudioOutput, loaded: Loaded): void {
  moveToLater(output, loaded)
  if (loaded.asked) loaded.seenVersion = loaded.asked.version
  loaded.asked = null
}

function isSilent({ isPlaceKnown }: Loaded): boolean {
  const { currentTrack, isPlaying, isLoading } = playerState()
  return currentTrack !== null && isPlaceKnown && !isPlaying && !isLoading
}

const after = (ms: number) => new Promise<undefined>((resolve) => setTimeout(resolve, ms))
