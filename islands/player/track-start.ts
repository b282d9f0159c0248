import { askForPin, askToSignIn } from '#islands/member/after-sign-in'
import type { AudioOutput } from '#islands/player/audio-element'
import type { createAudioStart } from '#islands/player/audio-start'
import type { Permission } from '#islands/player/first-narration'
import { startListening } from '#islands/player/listening'
import type { Loaded } from '#islands/player/loaded'
import { showMedia } from '#islands/player/media-session'
import { showNote } from '#islands/player/notes'
import { askTabs } from '#islands/player/other-tabs'
import { checkPermission, reasonToListen } from '#islands/player/permission'
import { offerPlaces, type Places } from '#islands/player/places'
import { mayWait, type Reconnect } from '#islands/player/reconnect'
import { rewound } from '#islands/player/rewound'
import { findSavedProgress } from '#islands/player/saved-progress'
import { showMove } from '#islands/player/seeking'
import { startOf } from '#islands/player/start-position'
import { dispatchPlayer, playerState } from '#islands/player/state'
import { contentOf } from '#islands/player/track-content'
import { showMissing } from '#islands/player/track-failure'
import { fromServerTime } from '#islands/runtime/server-clock'
import { noVersion } from '#src/listening/rules'
import type { Track } from '#src/story/track-rules'

/** Shows a track in the bar without playing it, such as the one of the last page. */
export async function offerTrack(loaded: Loaded, track: Track): Promise<void> {
  const content = contentOf(track)
  dispatchPlayer({ type: 'offer', track, duration: content?.durationSeconds ?? 0 })
  const mine = loaded.turn
  const saved = content && (await findSavedProgress(content))
  if (mine !== loaded.turn || saved === undefined) return
  loaded.pausedAtMs = savedAtMs(saved)
  loaded.seenVersion = saved?.version ?? noVersion
  // The person has moved the slider meanwhile.
  if (loaded.isPlaceKnown) return
  dispatchPlayer({ type: 'time', seconds: startOf(saved, playerState().duration) })
  loaded.isPlaceKnown = true
  offerPlaces(saved, playerState().duration)
}

type StartDeps = {
  output: AudioOutput
  loaded: Loaded
  places: Places
  audioStart: ReturnType<typeof createAudioStart>
  close: () => void
  retry: () => void
  reconnect: Reconnect
}

/**
 * Shows the track in the system's media controls, checks whether it may be heard, reads its saved position, and plays
 * it. If `startSeconds` is null it plays from the saved position. A position that the person chooses meanwhile comes
 * before both.
 */
export async function startTrack(deps: StartDeps, startSeconds: number | null): Promise<void> {
  const { output, loaded, places, audioStart } = deps
  const { currentTrack: track, duration } = playerState()
  if (!track) return
  loaded.turn += 1
  loaded.chosenSeconds = null
  const mine = loaded.turn
  const content = contentOf(track)
  showMedia(playerState())
  askTabs()
  const [permission, saved] = await Promise.all([
    checkPermission(track, () => mine === loaded.turn),
    startSeconds === null && content ? findSavedProgress(content) : null,
  ])
  if (mine !== loaded.turn) return
  loaded.isPreview = permission === 'signInNeeded' && previewSeconds() > 0
  if (loaded.isPreview) return playPreview(deps, track)
  if (permission !== 'allowed') return refuseTrack(deps, track, permission)
  const { chosenSeconds } = loaded
  const keptSeconds = startSeconds ?? loaded.tabSeconds ?? startOf(saved ?? null, duration)
  const position =
    chosenSeconds ?? startSeconds ?? loaded.tabSeconds ?? rewound(keptSeconds, savedAtMs(saved))
  if (startSeconds === null) loaded.seenVersion = saved === undefined ? null : (saved?.version ?? noVersion)
  if (content) {
    const start = { startSeconds: position, isStartKnown: saved !== undefined || chosenSeconds !== null }
    loaded.listening ??= startListening({ content, track, start, where, reporting: places.reporting })
  }
  loaded.isPlaceKnown = true
  output.open(track.src, position)
  dispatchPlayer({ type: 'time', seconds: position })
  if (chosenSeconds === null) offerPlaces(saved ?? null, duration)
  else showMove(keptSeconds, chosenSeconds)
  await audioStart.play('play-error')
}

async function playPreview({ output, loaded, audioStart }: StartDeps, { src }: Track): Promise<void> {
  showNote({ type: 'preview', seconds: previewSeconds() })
  loaded.isPlaceKnown = true
  output.open(`${src}/preview`, 0)
  await audioStart.play('play-error')
}

/** Shows why a track does not play. After a visitor has signed in, or the PIN was entered, it is tried again. */
function refuseTrack(deps: StartDeps, track: Track, permission: Exclude<Permission, 'allowed'>): void {
  if (permission === 'missing') {
    deps.close()
    void showMissing(track)
  } else if (permission === 'signInNeeded') {
    askForAccount(deps)
  } else if (permission === 'locked') {
    const mine = deps.loaded.turn
    deps.audioStart.fail('locked', 'auth-required', 'The PIN has to be entered.')
    askForPin(() => mine === deps.loaded.turn && deps.retry())
  } else if (mayWait(deps.loaded)) deps.reconnect.lose('permission-check-error', checkFailed)
  else deps.audioStart.fail('playback', 'permission-check-error', checkFailed)
}

const checkFailed = 'The check failed.'

/**
 * Explains why playback failed midway. If the session has ended or was locked by its PIN, the person is asked for the
 * sign-in or the PIN, and the track continues from where it stopped.
 */
export async function explainFailure(deps: StartDeps): Promise<void> {
  const { loaded } = deps
  const { currentTrack: track } = playerState()
  const mine = loaded.turn
  if (!track || loaded.isPreview) return
  const permission = await checkPermission(track, () => mine === loaded.turn)
  if (mine === loaded.turn && (permission === 'locked' || permission === 'signInNeeded'))
    refuseTrack(deps, track, permission)
}

/** Opens the sign-in dialog for a visitor. After the sign-in the track plays, from the end of its preview. */
export function askForAccount({
  loaded,
  audioStart,
  retry,
}: Pick<StartDeps, 'loaded' | 'audioStart' | 'retry'>): void {
  const mine = loaded.turn
  audioStart.fail('authRequired', 'auth-required', 'Premium audio needs an account.')
  askToSignIn(() => mine === loaded.turn && retry(), reasonToListen)
}

/** The seconds of a preview that this page's visitor may hear; 0 for everybody else. */
const previewSeconds = () => Number(document.body.dataset.visitor ?? 0)

const where = () => ({ positionSec: playerState().currentTime, totalSec: playerState().duration })

function savedAtMs(saved: { lastUpdatedAt: string } | null | undefined): number | null {
  return saved ? fromServerTime(saved.lastUpdatedAt) : null
}
