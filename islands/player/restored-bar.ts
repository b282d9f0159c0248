import { sendStoredReports } from '#islands/listening/report-progress'
import { whenLetGo } from '#islands/navigation/press-end'
import { startPlayerKeys } from '#islands/player/keyboard'
import { findSavedProgress } from '#islands/player/saved-progress'
import { readStoredBar, readStoredTrack } from '#islands/player/stored-track'
import { contentOf } from '#islands/player/track-content'
import { deviceId } from '#islands/runtime/device-id'
import { enterText } from '#islands/runtime/input-replay'
import { isMovedElsewhere, noVersion } from '#src/listening/rules'

/** A recorded press or slide. It is repeated on the same control of the real player. */
type Press = (twin: HTMLElement) => void

/**
 * Shows the player's bar as it was on the last page of this tab, without the player's code. At the first press `start`
 * loads the player; its bar replaces this one and gets all presses in order. If another device has moved the position,
 * the player is loaded at once, because it has to ask where to resume.
 */
export function mount(host: HTMLElement, { start }: { start: () => void }): () => void {
  const bar = readStoredBar()
  if (bar === null) {
    start()
    return () => {}
  }
  host.innerHTML = bar
  document.body.dataset.player = ''
  /** Whether the player's own bar is in the document. */
  let isThere = false
  // Repeated presses on one control count once, and of a slider's positions only the last counts.
  const presses = new Map<string, Press>()
  const slides = new Map<string, Press>()
  const press = (button: HTMLElement | null) => {
    if (!button) return
    presses.set(selectorOf(button), pressTwin)
    button.ariaBusy = 'true'
    if (!isThere) start()
  }
  // Listens to the click, at the end of a press: its target must not be removed before.
  host.addEventListener('click', ({ target }) => {
    if (target instanceof Element) press(target.closest('button'))
  })
  host.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement)) return
    slides.set(selectorOf(target), (twin) => slideTo(twin, target.value))
    if (!isThere) start()
  })
  const stopKeys = startPlayerKeys((command) => {
    if (command.type === 'undo') return false
    const isBack = command.type === 'skip' && command.seconds < 0
    const button = command.type === 'toggle' ? '.player-play' : `.skip${isBack ? '' : ' ~ .skip'}`
    press(host.querySelector(button))
    return true
  })
  const stop = () => {
    stopKeys()
    observer.disconnect()
    host.remove()
    if (!document.querySelector('#player-host .player')) delete document.body.dataset.player
  }
  const observer = new MutationObserver(async () => {
    const bars = [...(host.parentElement?.querySelectorAll('.player') ?? [])]
    const player = bars.find((each) => !host.contains(each))
    if (!player || isThere) return
    isThere = true
    stopKeys()
    await whenLetGo()
    stop()
    // Sliders first, so that a track that is about to start begins at the chosen position.
    await replayPresses(player, [...slides, ...presses])
  })
  if (host.parentElement) observer.observe(host.parentElement, { childList: true, subtree: true })
  void sendStoredReports()
  void startWhereMoved(start)
  return stop
}

async function replayPresses(player: Element, presses: readonly [selector: string, Press][]): Promise<void> {
  for (const [selector, again] of presses) {
    const twin = player.querySelector<HTMLElement>(selector)
    if (twin) again(twin)
    // React renders the result of a press in a microtask.
    await null
  }
}

/** Starts the player if another device was the last to move the position: the player asks where to resume. */
async function startWhereMoved(start: () => void): Promise<void> {
  const track = readStoredTrack()
  const content = track && contentOf(track)
  const saved = content && (await findSavedProgress(content))
  if (saved && isMovedElsewhere(saved.version, noVersion, deviceId())) start()
}

/** Returns a selector for a control. The label identifies it, except for a chip, whose label may have changed. */
function selectorOf(control: HTMLElement): string {
  const { menu } = control.dataset
  return menu ? `[data-menu="${menu}"]` : `[aria-label="${CSS.escape(control.ariaLabel ?? '')}"]`
}

function pressTwin(twin: HTMLElement): void {
  twin.focus()
  twin.click()
}

function slideTo(slider: HTMLElement, value: string): void {
  if (slider instanceof HTMLInputElement) enterText(slider, value)
  slider.dispatchEvent(new PointerEvent('pointerup', { bubbles: true }))
}
