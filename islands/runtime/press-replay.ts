import { isPlainPress } from '#islands/navigation/plain-press'
import { finderOf } from '#islands/runtime/find-again'
import { toastNoAnswer } from '#islands/runtime/toast-no-answer'

/** A press or key from before `island` was hydrated. A box already shows its new state, which is `isChecked`. */
type RecordedPress = {
  island: HTMLElement
  target: HTMLElement
  /** Returns the target, or the element that has replaced it. */
  findTarget: () => HTMLElement | null
  event: MouseEvent | KeyboardEvent
  isChecked?: boolean
}
type Wake = (island: HTMLElement) => Promise<void>

const boxes = 'input:is([type=checkbox], [type=radio])'
const pressable = `button, a[data-edit], ${boxes}`
/** Keys that move within a menu or close it. Enter and Space are recorded as the clicks that they cause. */
const menuKeys = ['ArrowDown', 'ArrowUp', 'Home', 'End', 'Escape']

let recorded: RecordedPress[] = []
let wake: Wake = async () => {}
/** Set while this page is being fetched again: presses on it wait for the new page. */
let reloading: AbortSignal | null = null

/**
 * Records presses until their island is hydrated, and then replays them: each once, in order, with its modifier keys,
 * and on the element that has replaced its target if one has. Repeated presses on one button count as one, because
 * people press again on a slow line. `wakeIsland` hydrates an island.
 */
export function recordPresses(wakeIsland: Wake): void {
  wake = wakeIsland
  // Capture, to run before soft navigation and before an island that is being hydrated.
  document.addEventListener('click', recordPress, { capture: true })
  document.addEventListener('keydown', recordKey, { capture: true })
  document.addEventListener('nocturne:hydrated', ({ target }) => {
    const island = target instanceof Element ? target.closest<HTMLElement>('nocturne-island') : null
    // The island is still being hydrated when it dispatches this.
    if (island) queueMicrotask(() => void replay(island))
  })
}

/**
 * Returns the island that handles a press: one that declares presses elsewhere (`presses` in src/ui/island.tsx), or
 * else the one that contains the pressed element.
 */
export function islandHandling(pressed: Element): HTMLElement | null {
  const elsewhere = [...document.querySelectorAll<HTMLElement>('[data-presses]')]
  return (
    elsewhere.find(({ dataset }) => pressed.closest(dataset.presses ?? '')) ??
    pressed.closest<HTMLElement>('nocturne-island')
  )
}

/**
 * Holds presses on this page back while it is being fetched again. Its old islands would act on them and be removed
 * before they show the result. Returns a function that releases the presses; aborting `signal` releases them too.
 */
export function holdPresses(signal: AbortSignal): () => void {
  reloading = signal
  signal.addEventListener('abort', findPressedAgain)
  return () => {
    if (reloading !== signal) return
    reloading = null
    findPressedAgain()
  }
}

/** Drops all recorded presses, because another page is about to be shown. */
export function forgetPresses(): void {
  recorded = []
}

/** Moves recorded presses to the elements that have replaced their targets, after markup was replaced. */
export function findPressedAgain(): void {
  if (isReloading()) return
  recorded = recorded.flatMap((press) => {
    const target = press.findTarget()
    const island = target && islandHandling(target)
    if (!island) return []
    if (target instanceof HTMLInputElement) showTick(target, press.isChecked)
    else target.ariaBusy = 'true'
    return [{ ...press, target, island }]
  })
  for (const island of new Set(recorded.map(({ island }) => island)))
    isHydrated(island) ? void replay(island) : wakeFor(island)
}

function recordPress(event: MouseEvent): void {
  const target = event.target instanceof Element ? event.target.closest<HTMLElement>(pressable) : null
  const island = target && islandHandling(target)
  if (!island || canHandle(island, target)) return
  if (target instanceof HTMLAnchorElement && !isPlainPress(event)) return
  const isBox = target instanceof HTMLInputElement
  // A stored draft merges its boxes itself (stored-draft.ts).
  if (isBox && target.closest('[data-draft]')) return
  event.stopImmediatePropagation()
  const press = { island, target, findTarget: finderOf(target), event }
  if (isBox) {
    showTick(target, target.checked)
    recorded.push({ ...press, isChecked: target.checked })
  } else {
    event.preventDefault()
    if (target.ariaBusy) return
    target.ariaBusy = 'true'
    recorded.push(press)
  }
  wakeFor(island)
}

/** Records a menu key on a button whose press is recorded: it is meant for the menu that the press will open. */
function recordKey(event: KeyboardEvent): void {
  const { target, key } = event
  if (!menuKeys.includes(key) || !(target instanceof HTMLElement) || !target.matches('button, a')) return
  const before = recorded.find((press) => press.target === target)
  if (!before) return
  event.preventDefault()
  event.stopImmediatePropagation()
  recorded.push({ ...before, event })
}

/**
 * Whether an island can handle a press now. During a reload only an open dialog can: it goes with the old page, so its
 * presses must count at once.
 */
function canHandle(island: HTMLElement, target: HTMLElement): boolean {
  if (!isHydrated(island)) return false
  return !isReloading() || !island.closest('#page') || target.closest('dialog[open]') !== null
}

const isReloading = () => reloading !== null && !reloading.aborted

function isHydrated(island: HTMLElement): boolean {
  const root = island.querySelector('nocturne-root')
  return root !== null && 'isHydrated' in root
}

function wakeFor(island: HTMLElement): void {
  wake(island).catch(() => handleWithoutIsland(island))
}

/**
 * Handles the presses on an island whose code did not load. A link or a form with an action works without it; a form
 * without an action would put its input into this page's address.
 */
function handleWithoutIsland(island: HTMLElement): void {
  const isBox = ({ target }: RecordedPress) => target instanceof HTMLInputElement
  const pressed = recorded.filter((press) => press.island === island && !isBox(press))
  // The next press tries to load the island again, and then the recorded boxes are replayed too.
  recorded = recorded.filter((press) => !pressed.includes(press))
  for (const { target } of pressed) target.ariaBusy = null
  const target = pressed[0]?.target
  if (target instanceof HTMLAnchorElement) location.assign(target.href)
  else if (
    target instanceof HTMLButtonElement &&
    target.type === 'submit' &&
    target.form?.hasAttribute('action')
  )
    target.form.requestSubmit(target)
  else if (target) toastNoAnswer()
}

async function replay(island: HTMLElement): Promise<void> {
  if (isReloading()) return
  const due = recorded.filter((press) => press.island === island)
  recorded = recorded.filter((press) => press.island !== island)
  for (const press of due) {
    replayPress(press)
    // React renders the result of a press in a microtask, before a person could press again.
    await null
  }
}

function replayPress({ findTarget, event, isChecked }: RecordedPress): void {
  // The press before this one may have rendered the target anew.
  const target = findTarget()
  if (!target) return
  if (event instanceof KeyboardEvent) {
    const focused = document.activeElement ?? target
    focused.dispatchEvent(new KeyboardEvent(event.type, event))
    return
  }
  if (target instanceof HTMLInputElement) target.checked = !isChecked
  else target.ariaBusy = null
  target.dispatchEvent(new MouseEvent(event.type, event))
}

/** Shows the state of a box and marks the box, so that recordInput (input-replay.ts) leaves it to the replay here. */
function showTick(box: HTMLInputElement, isChecked = box.checked): void {
  box.checked = isChecked
  Object.assign(box, { isPressKept: true })
}
