import { sendStoredReports } from '#islands/listening/report-progress'
import { whenLetGo } from '#islands/navigation/press-end'
import { startPlayerKeys } from '#islands/player/keyboard'
import { findSavedProgress } from '#islands/player/saved-progress'
import { readStoredBar, readStoredTrack } from '#islands/player/stored-track'
import { contentOf } from '#islands/player/track-content'
import { deviceId } from '#islands/runtime/device-id'
import { setNatively } from '#islands/runtime/input-replay'
import { isMovedElsewhere, noVersion } from '#src/listening/rules'

/** What somebody did with a control of the stored bar: done again with the player's own. */
type Press = (twin: HTMLElement) => void

/**
 * The player's bar as it stood on the last page of this tab, until somebody touches it: `start` fetches the player
 * then, whose bar takes its place and gets all presses in order. A player whose position was moved elsewhere asks at
 * once.
 */
export function mount(host: HTMLElement, { start }: { start: () => void }): () => void {
  const bar = readStoredBar()
  if (bar === null) {
    start()
    return () => {}
  }
  host.innerHTML = bar
  document.body.dataset.player = ''
  /** The player has come. */
  let isThere = false
  // Impatient presses on one control are one, and a slider counts where it was put last.
  const presses = new Map<string, Press>()
  const slides = new Map<string, Press>()
  const press = (button: HTMLElement | null) => {
    if (!button) return
    presses.set(selectorOf(button), pressTwin)
    button.ariaBusy = 'true'
    if (!isThere) start()
  }
  // At the end of a press: its target must not go away before.
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
    // Sliders first: a track that is about to start begins where it has been put.
    await doAgain(player, [...slides, ...presses])
  })
  if (host.parentElement) observer.observe(host.parentElement, { childList: true, subtree: true })
  void sendStoredReports()
  void startWhereMoved(start)
  return stop
}

async function doAgain(player: Element, presses: readonly [selector: string, Press][]): Promise<void> {
  for (const [selector, again] of presses) {
    const twin = player.querySelector<HTMLElement>(selector)
    if (twin) again(twin)
    // React renders what a press has changed in a microtask.
    await null
  }
}

/** Another device was the last to move the position: the player asks where to go on. */
async function startWhereMoved(start: () => void): Promise<void> {
  const track = readStoredTrack()
  const content = track && contentOf(track)
  const saved = content && (await findSavedProgress(content))
  if (saved && isMovedElsewhere(saved.version, noVersion, deviceId())) start()
}

/** Labels name the controls; that of a chip may have changed. */
function selectorOf(control: HTMLElement): string {
  const { menu } = control.dataset
  return menu ? `[data-menu="${menu}"]` : `[aria-label="${CSS.escape(control.ariaLabel ?? '')}"]`
}

function pressTwin(twin: HTMLElement): void {
  twin.focus()
  twin.click()
}

function slideTo(slider: HTMLElement, value: string): void {
  setNatively(slider, 'value', value)
  slider.dispatchEvent(new Event('input', { bubbles: true }))
  slider.dispatchEvent(new PointerEvent('pointerup', { bubbles: true }))
}
