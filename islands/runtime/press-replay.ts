import { isPlainPress } from '#islands/navigation/plain-press'
import { finderOf } from '#islands/runtime/find-again'
import { toastNoAnswer } from '#islands/runtime/toast-no-answer'

/** A press or a key from before `island` could hear it. A box shows its tick already, as `isChecked` says. */
type Kept = {
  island: HTMLElement
  target: HTMLElement
  /** Its target, or what has taken its place. */
  findTarget: () => HTMLElement | null
  event: MouseEvent | KeyboardEvent
  isChecked?: boolean
}
type Wake = (island: HTMLElement) => Promise<void>

const boxes = 'input:is([type=checkbox], [type=radio])'
const pressable = `button, a[data-edit], ${boxes}`
/** Keys that move about in a menu or close it: those that press have come as a click. */
const menuKeys = ['ArrowDown', 'ArrowUp', 'Home', 'End', 'Escape']

let kept: Kept[] = []
let wake: Wake = async () => {}
/** This page is being fetched again: presses on it wait for the new one. */
let reloading: AbortSignal | null = null

/**
 * Keeps what is pressed until its island is hydrated, and then presses it again: each press once, in order, with its
 * modifier keys, and on what has taken the place of its target meanwhile. Further presses on one button count as one,
 * as people press again on a slow line. `wakeIsland` hydrates an island.
 */
export function keepPresses(wakeIsland: Wake): void {
  wake = wakeIsland
  // Before soft navigation, or an island that is being hydrated.
  document.addEventListener('click', keepPress, { capture: true })
  document.addEventListener('keydown', keepKey, { capture: true })
  document.addEventListener('nocturne:hydrated', ({ target }) => {
    const island = target instanceof Element ? target.closest<HTMLElement>('nocturne-island') : null
    // React is still at work here.
    if (island) queueMicrotask(() => void replay(island))
  })
}

/** The island that hears a press: one that is woken by presses there (`presses` in src/ui/island.tsx), or the one around. */
export function hearerOf(pressed: Element): HTMLElement | null {
  const elsewhere = [...document.querySelectorAll<HTMLElement>('[data-presses]')]
  return (
    elsewhere.find(({ dataset }) => pressed.closest(dataset.presses ?? '')) ??
    pressed.closest<HTMLElement>('nocturne-island')
  )
}

/**
 * Lets presses on this page wait for the one that is being fetched in its place: its old islands would do things and
 * be removed before they show them. Returns a function that ends it, as an abort does.
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

/** Another page is about to be shown. */
export function forgetPresses(): void {
  kept = []
}

/** After markup was put in the place of other markup: presses go to what now stands for their targets. */
export function findPressedAgain(): void {
  if (isReloading()) return
  kept = kept.flatMap((press) => {
    const target = press.findTarget()
    const island = target && hearerOf(target)
    if (!island) return []
    if (target instanceof HTMLInputElement) showTick(target, press.isChecked)
    else target.ariaBusy = 'true'
    return [{ ...press, target, island }]
  })
  for (const island of new Set(kept.map(({ island }) => island)))
    isHydrated(island) ? void replay(island) : wakeFor(island)
}

function keepPress(event: MouseEvent): void {
  const target = event.target instanceof Element ? event.target.closest<HTMLElement>(pressable) : null
  const island = target && hearerOf(target)
  if (!island || canHear(island, target)) return
  if (target instanceof HTMLAnchorElement && !isPlainPress(event)) return
  const isBox = target instanceof HTMLInputElement
  // A stored draft merges its boxes itself (stored-draft.ts).
  if (isBox && target.closest('[data-draft]')) return
  event.stopImmediatePropagation()
  const press = { island, target, findTarget: finderOf(target), event }
  if (isBox) {
    showTick(target, target.checked)
    kept.push({ ...press, isChecked: target.checked })
  } else {
    event.preventDefault()
    if (target.ariaBusy) return
    target.ariaBusy = 'true'
    kept.push(press)
  }
  wakeFor(island)
}

/** Keys for what a press before them opens. */
function keepKey(event: KeyboardEvent): void {
  const { target, key } = event
  if (!menuKeys.includes(key) || !(target instanceof HTMLElement) || !target.matches('button, a')) return
  const before = kept.find((press) => press.target === target)
  if (!before) return
  event.preventDefault()
  event.stopImmediatePropagation()
  kept.push({ ...before, event })
}

/** An open dialog goes with the old page: what is pressed in it counts at once. */
function canHear(island: HTMLElement, target: HTMLElement): boolean {
  if (!isHydrated(island)) return false
  return !isReloading() || !island.closest('#page') || target.closest('dialog[open]') !== null
}

const isReloading = () => reloading !== null && !reloading.aborted

function isHydrated(island: HTMLElement): boolean {
  const root = island.querySelector('nocturne-root')
  return root !== null && 'isHydrated' in root
}

function wakeFor(island: HTMLElement): void {
  wake(island).catch(() => doWithout(island))
}

/** A form with an address works without its island; one without would put its input into this page's address. */
function doWithout(island: HTMLElement): void {
  const isBox = ({ target }: Kept) => target instanceof HTMLInputElement
  const pressed = kept.filter((press) => press.island === island && !isBox(press))
  // The next press tries again, for boxes too.
  kept = kept.filter((press) => !pressed.includes(press))
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
  const due = kept.filter((press) => press.island === island)
  kept = kept.filter((press) => press.island !== island)
  for (const press of due) {
    doAgain(press)
    // React renders what a press has changed in a microtask, before anybody can press again.
    await null
  }
}

function doAgain({ findTarget, event, isChecked }: Kept): void {
  // What was pressed before this may have drawn it anew.
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

/** The mark tells recordInput (input-replay.ts) that the box is pressed again from here. */
function showTick(box: HTMLInputElement, isChecked = box.checked): void {
  box.checked = isChecked
  Object.assign(box, { isPressKept: true })
}
