import { sendStoredReports } from '#islands/listening/report-progress'
import { startPlayerKeys } from '#islands/player/keyboard'
import { findSavedProgress } from '#islands/player/saved-progress'
import { readStoredBar, readStoredTrack } from '#islands/player/stored-track'
import { contentOf } from '#islands/player/track-content'
import { deviceId } from '#islands/runtime/device-id'
import { setNatively } from '#islands/runtime/input-replay'
import { isMovedElsewhere, noVersion } from '#src/listening/rules'

/** What somebody did with the stored bar: done again with the player's own. */
type Press = (twin: HTMLElement) => void

/**
 * The player's bar as it stood on the last page of this tab, until somebody touches it: `start` fetches the player
 * then, whose bar takes its place and gets the press. A player whose position was moved elsewhere asks at once.
 */
export function mount(host: HTMLElement, { start }: { start: () => void }): () => void {
  const bar = readStoredBar()
  if (bar === null) {
    start()
    return () => {}
  }
  host.innerHTML = bar
  let again: { selector: string; press: Press } | null = null
  const press = (target: EventTarget | null, work: Press) => {
    const control = target instanceof Element ? target.closest<HTMLElement>('button, input') : null
    if (!control) return
    again = { selector: selectorOf(control), press: work }
    if (control instanceof HTMLButtonElement) control.ariaBusy = 'true'
    start()
  }
  // At the end of a press: its target must not go away before.
  host.addEventListener('click', ({ target }) => press(target, pressTwin))
  host.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLInputElement) press(target, (twin) => slideTo(twin, target.value))
  })
  const stopKeys = startPlayerKeys((command) => {
    if (command.type === 'undo') return false
    const isBack = command.type === 'skip' && command.seconds < 0
    const button = command.type === 'toggle' ? '.player-play' : `.skip${isBack ? '' : ' ~ .skip'}`
    press(host.querySelector(button), pressTwin)
    return true
  })
  const stop = () => {
    stopKeys()
    observer.disconnect()
    host.remove()
  }
  const observer = new MutationObserver(() => {
    const bars = [...(host.parentElement?.querySelectorAll('.player') ?? [])]
    const player = bars.find((each) => !host.contains(each))
    if (!player) return
    stop()
    const twin = again && player.querySelector<HTMLElement>(again.selector)
    if (twin) again?.press(twin)
  })
  if (host.parentElement) observer.observe(host.parentElement, { childList: true, subtree: true })
  void sendStoredReports()
  void startWhereMoved(start)
  return stop
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
