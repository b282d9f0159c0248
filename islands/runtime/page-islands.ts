import { listen } from '#islands/runtime/events'
import { importIsland, importPressed } from '#islands/runtime/import-island'
import { findPressedAgain, islandHandling, recordPresses } from '#islands/runtime/press-replay'
import { whenIdle } from '#islands/runtime/when-idle'

/** Unmounts an island. */
type Unmount = () => void
const mounted = new Map<Element, Unmount>()

/** Islands that are hydrated at the first press. */
const waiting = new Set<HTMLElement>()
/** Whether a person has used an island of this document, so that React is loaded. */
let isInUse = false

/**
 * Hydrates the islands under `root`, each at the time that it states. Placeholders of streamed content are removed once
 * the content has arrived.
 */
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

/**
 * Whether a box of the island was changed before this code was loaded, by the person or by the browser restoring the
 * form.
 */
function isTicked(element: HTMLElement): boolean {
  const { presses } = element.dataset
  const fields = presses ? document.querySelectorAll(presses) : element.querySelectorAll('input')
  return [...fields].some((each) => each instanceof HTMLInputElement && each.checked !== each.defaultChecked)
}

/**
 * Hydrates the islands that wait for a press, as they come into view. Another island or the player is running now, and
 * they must show the same state.
 */
export function hydrateWaiting(): void {
  isInUse = true
  // An island that responds to presses elsewhere may have nothing visible that could come into view.
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

/** Hydrates the islands in markup that another island has inserted, such as a reader over its list. */
export function startBroughtIslands(): void {
  listen('nocturne:islands', ({ under, isLeaving }) => {
    if (isLeaving) stopIslands(under)
    else startIslands(under)
  })
}

/** The element of an island has no box of its own, so its first child with one is observed. */
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
 * Hydrates an island at the first press or focus in it, and then the others. Presses until then are recorded and
 * replayed (press-replay.ts).
 */
export function loadPressedIslands(): void {
  for (const name of ['pointerdown', 'focusin'])
    document.addEventListener(name, ({ target }) => {
      const island = target instanceof Element ? islandHandling(target) : null
      // If loading fails, the click tries again.
      if (island?.dataset.when === 'press' && !mounted.has(island)) hydratePressed(island).catch(() => {})
    })
  recordPresses(hydratePressed)
}

async function hydratePressed(island: HTMLElement): Promise<void> {
  const { name = '', code = '' } = island.dataset
  await importPressed(name, code)
  await start(island)
  hydrateWaiting()
}

/** Resolves at the first pointer movement, scroll, key, press or focus. */
const firstUse = new Promise<void>((resolve) => {
  const options = { once: true, capture: true, passive: true }
  for (const name of ['pointerdown', 'pointermove', 'keydown', 'focusin', 'scroll'])
    document.addEventListener(name, () => resolve(), options)
})

/** Hydrates an island. If its code does not load, as without a network, it stays as the server rendered it. */
async function start(element: HTMLElement): Promise<void> {
  const { name = '', prefix = '', code } = element.dataset
  const host = element.querySelector('nocturne-root')
  if (!host || mounted.has(element)) return
  const island = await importIsland(name, code).catch((error) => console.warn(error))
  if (!island || !element.isConnected || mounted.has(element)) return
  const props = element.querySelector(':scope > script')?.textContent ?? '{}'
  mounted.set(element, island.mount(host, JSON.parse(props), prefix))
}
