import { fetchPage } from '#islands/navigation/fetch-page'
import { addressOfForm } from '#islands/navigation/followed-address'
import { emit } from '#islands/runtime/events'
import { randomName } from '#islands/runtime/random-name'

/** A pause in typing after which the list follows: shorter ones would search for halves of words. */
const restMs = 300

/** A search counts when its words have stood for so long, or when its page is left. */
const countedMs = 1_500

/**
 * Searches while one types: the list and its address follow, the field keeps the focus, and the first Back undoes the
 * search. `host` is around a search form; what it finds stands in [data-found].
 */
export function mount(host: Element): () => void {
  const form = host.querySelector('form')
  const input = form?.querySelector<HTMLInputElement>('input[type=search]')
  if (!form || !input) return () => {}
  let shown = location.href
  /** The entry of the history that this search has made; the next word replaces it. */
  let entry: string | null = null
  let underWay: AbortController | null = null
  const count = delayed(countedMs, () => emit('nocturne:searched', {}))
  const search = delayed(restMs, () => {
    const url = addressOfForm(form, null)
    if (!url || url.href === new URL(shown).href) return
    void show(form, url, () => {
      if (entry !== null && history.state?.nocturne === entry)
        return history.replaceState({ nocturne: entry }, '', url)
      entry = randomName()
      history.pushState({ nocturne: entry }, '', url)
    })
  })

  async function show(form: HTMLFormElement, url: URL, enterHistory: () => void): Promise<void> {
    underWay?.abort()
    underWay = new AbortController()
    const { signal } = underWay
    const found = await fetchPage(url, signal).catch(() => null)
    // Enter still searches where the page did not come.
    if (signal.aborted || !found) return
    shown = url.href
    enterHistory()
    replaceAround(form, found.page)
    replaceFound(found.page)
    emit('nocturne:navigated', { url: url.href, isTyped: true })
    count.later()
  }

  const onInput = (event: Event) => {
    search.never()
    if (!(event instanceof InputEvent && event.isComposing)) search.later()
  }
  const onSubmit = (event: Event) => {
    search.never()
    if (addressOfForm(form, null)?.href === shown) event.preventDefault()
  }
  input.addEventListener('input', onInput)
  input.addEventListener('compositionend', onInput)
  form.addEventListener('submit', onSubmit)
  addEventListener('pagehide', count.now)
  // Typed before this code was here.
  if (input.value !== input.defaultValue) search.later()
  return () => {
    search.never()
    underWay?.abort()
    removeEventListener('pagehide', count.now)
    count.now()
  }
}

/** Runs `work` so many milliseconds after the last `later`; `now` does what waits at once, `never` does not. */
function delayed(ms: number, work: () => void) {
  let due: Timer | undefined
  const never = () => {
    clearTimeout(due)
    due = undefined
  }
  const now = () => {
    if (due === undefined) return
    never()
    work()
  }
  const later = () => {
    never()
    due = setTimeout(now, ms)
  }
  return { later, now, never }
}

/** What stands beside the form: "Clear Filters", while there is something to clear. */
function replaceAround(form: HTMLFormElement, page: Document): void {
  const fresh = page.querySelector(`form[action="${form.getAttribute('action')}"]:has(input[type=search])`)
  for (const each of [...(form.parentElement?.children ?? [])]) if (each !== form) each.remove()
  for (const each of [...(fresh?.parentElement?.children ?? [])])
    if (each !== fresh) form.parentElement?.append(document.adoptNode(each))
}

function replaceFound(page: Document): void {
  const old = document.querySelector('main [data-found]')
  const fresh = page.querySelector('main [data-found]')
  if (!old || !fresh) return
  emit('nocturne:islands', { under: old, isLeaving: true })
  old.replaceWith(document.adoptNode(fresh))
  emit('nocturne:islands', { under: fresh })
}
