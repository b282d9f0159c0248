import { listen } from '#islands/runtime/events'
import { importIsland, importPressed } from '#islands/runtime/import-island'
import { findPressedAgain, hearerOf, keepPresses } from '#islands/runtime/press-replay'
import { whenIdle } from '#islands/runtime/when-idle'

/** Unmounts an island. */
type Unmount = () => void
const mounted = new Map<Element, Unmount>()

/** Islands that wait for a press. */
const waiting = new Set<HTMLElement>()
/** A person has used an island of this document: React is loaded. */
let isInUse = false

/** Hydrates the islands under `root`, each at its stated time. What stood there until the page was complete goes away. */
export function startIslands(root: ParentNode): void {
  for (const frame of root.querySelectorAll('.awaited-frame:has(+ *)')) frame.remove()
  for (const element of root.querySelectorAll<HTMLElement>('nocturne-island')) {
    const { when } = element.dataset
    if (when === 'press' && !isTicked(element)) waiting.add(element)
    else if (when === 'visible') startWhenSeen(element)
    else if (when === 'use') void firstUse.then(() => whenIdle(() => start(element)))
    else if (when === 'idle') whenIdle(() => start(element))
    else void start(element)
  }
  if (isInUse) hydrateWaiting()
  findPressedAgain()
}

/** Somebody has ticked a box of it before this code was there, or the browser has restored it. */
function isTicked(element: HTMLElement): boolean {
  const { presses } = element.dataset
  const fields = presses ? document.querySelectorAll(presses) : element.querySelectorAll('input')
  return [...fields].some((each) => each instanceof HTMLInputElement && each.checked !== each.defaultChecked)
}

/**
 * Hydrates the islands that wait for a press, as they come into view: another island or the player is there now, and
 * they show the same state.
 */
export function hydrateWaiting(): void {
  isInUse = true
  // One for presses elsewhere may show nothing that could come into view.
  for (const element of waiting) element.dataset.presses ? void start(element) : startWhenSeen(element)
  waiting.clear()
}

/** Unmounts the islands under `root`, before it is removed. */
export function stopIslands(root: Element): void {
  for (const element of waiting) if (root.contains(element)) waiting.delete(element)
  for (const [element, unmount] of mounted) {
    if (!root.contains(element)) continue
    mounted.delete(element)
    unmount()
  }
}

/** Hydrates the islands of markup that another island has placed, such as a reader over its list. */
export function startBroughtIslands(): void {
  listen('nocturne:islands', ({ under, isLeaving }) => {
    if (isLeaving) stopIslands(under)
    else startIslands(under)
  })
}

/** Islands have no box of their own, so their first element with one is observed. */
function startWhenSeen(element: HTMLElement): void {
  seen.observe(element.querySelector('nocturne-root > :not([hidden])') ?? element)
}

const seen = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue
      seen.unobserve(target)
      const element = target.closest<HTMLElement>('nocturne-island')
      if (element) start(element)
    }
  },
  { rootMargin: '200px' },
)

/**
 * A press or the focus hydrates its island, and then the others. What is pressed until then is kept, and done again
 * (press-replay.ts).
 */
export function loadPressedIslands(): void {
  for (const name of ['pointerdown', 'focusin'])
    document.addEventListener(name, ({ target }) => {
      const island = target instanceof Element ? hearerOf(target) : null
      // A failed load is tried again by the click.
      if (island?.dataset.when === 'press' && !mounted.has(island)) hydratePressed(island).catch(() => {})
    })
  keepPresses(hydratePressed)
}

async function hydratePressed(island: HTMLElement): Promise<void> {
  const { name = '', code = '' } = island.dataset
  await importPressed(name, code)
  await start(island)
  hydrateWaiting()
}

/** Resolves at the first move, scroll, key, press or focus. */
const firstUse = new Promise<void>((resolve) => {
  const options = { once: true, capture: true, passive: true }
  for (const name of ['pointerdown', 'pointermove', 'keydown', 'focusin', 'scroll'])
    document.addEventListener(name, () => resolve(), options)
})

/** Without its code, as without a network, an island stays what the server has drawn. */
async function start(element: HTMLElement): Promise<void> {
  const { name = '', prefix = '', code } = element.dataset
  const host = element.querySelector('nocturne-root')
  if (!host || mounted.has(element)) return
  const island = await importIsland(name, code).catch((error) => console.warn(error))
  if (!island || !element.isConnected || mounted.has(element)) return
  const props = element.querySelector(':scope > script')?.textContent ?? '{}'
  mounted.set(element, island.mount(host, JSON.parse(props), prefix))
}
