import { listen } from '#islands/events'
import { importIsland } from '#islands/import-island'

/** Ends an island. */
type Unmount = () => void
const mounted = new Map<Element, Unmount>()

/** Brings the islands under `root` to life, each when it asks for it. */
export function startIslands(root: ParentNode): void {
  for (const element of root.querySelectorAll<HTMLElement>('nocturne-island')) {
    if (element.dataset.when === 'visible')
      seen.observe(element.querySelector('nocturne-root > :not([hidden])') ?? element)
    else if (element.dataset.when === 'idle') whenIdle(() => start(element))
    else start(element)
  }
}

/** Ends the islands under `root`, before it leaves the page. */
export function stopIslands(root: Element): void {
  for (const [element, unmount] of mounted) {
    if (!root.contains(element)) continue
    mounted.delete(element)
    unmount()
  }
}

/** The islands of what an island has fetched and placed itself, such as a reader over its list: all at once. */
export function startBroughtIslands(): void {
  listen('nocturne:islands', ({ under, isLeaving }) => {
    if (isLeaving) stopIslands(under)
    else for (const element of under.querySelectorAll<HTMLElement>('nocturne-island')) void start(element)
  })
}

/** Islands have no box of their own, so the first element that has one is watched. */
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

/** A press on a button whose island still sleeps wakes it, and is made again when it is awake. */
export function wakeWhatIsPressed(): void {
  document.addEventListener('click', (event) => {
    const button = event.target instanceof Element ? event.target.closest('button') : null
    const island = button?.closest<HTMLElement>('nocturne-island')
    if (!button || !island || mounted.has(island)) return
    // A form with an address works without its island; one without would put what was typed into this page's.
    const form = button.type === 'submit' && button.form?.hasAttribute('action') ? button.form : null
    // Over a list it would take the list away.
    if (form && !form.closest('dialog')) return
    event.preventDefault()
    start(island).then(
      () => mounted.has(island) && button.click(),
      () => form?.requestSubmit(button),
    )
  })
}

const whenIdle: (run: () => void) => void =
  'requestIdleCallback' in window ? (run) => requestIdleCallback(run) : (run) => setTimeout(run, 200)

async function start(element: HTMLElement): Promise<void> {
  const { name = '', prefix = '', code } = element.dataset
  const host = element.querySelector('nocturne-root')
  if (!host || mounted.has(element)) return
  const island = await importIsland(name, code)
  if (!element.isConnected || mounted.has(element)) return
  const props = element.querySelector(':scope > script')?.textContent ?? '{}'
  mounted.set(element, island.mount(host, JSON.parse(props), prefix))
}
