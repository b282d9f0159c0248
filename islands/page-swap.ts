import { startIslands, stopIslands } from '#islands/page-islands'
import { parsePage } from '#islands/parse-page'
import { giveToastsBack } from '#islands/toasts-in-dialog'

/** A page of this build, fetched and parsed; null where the browser has to load the address itself. */
export async function fetchPage(url: URL, signal: AbortSignal): Promise<{ page: Document; url: URL } | null> {
  const response = await fetch(url, { signal, headers: { accept: 'text/html' } })
  if (!response.headers.get('content-type')?.startsWith('text/html')) return null
  const page = parsePage(await response.text())
  if (buildOf(page) !== buildOf(document)) return null
  const finalUrl = new URL(response.url)
  finalUrl.hash = url.hash
  return { page, url: finalUrl }
}

/** Puts a fetched page in the place of this one, softly where motion is welcome. `arrive` runs right after. */
export async function swapPage(page: Document, arrive: () => void): Promise<void> {
  await addStyles(page)
  const swap = () => {
    replaceContent(page)
    arrive()
  }
  if (!('startViewTransition' in document) || matchMedia('(prefers-reduced-motion: reduce)').matches)
    return swap()
  const transition = document.startViewTransition(swap)
  // A next navigation may cut the animation short: that is no error.
  transition.ready.catch(() => {})
  transition.finished.catch(() => {})
  await transition.updateCallbackDone
}

function replaceContent(page: Document): void {
  const isSameFrame = [document, page].every((each) => each.querySelector('#page > .shell'))
  replace(page, isSameFrame ? '#main' : '#page')
  if (isSameFrame) {
    for (const part of page.querySelectorAll<HTMLElement>('[data-live]'))
      replace(page, `[data-live="${part.dataset.live}"]`)
  }
  document.title = page.title
  document.body.className = page.body.className
  document.body.dataset.frame = page.body.dataset.frame
  document.body.toggleAttribute('data-discreet', 'discreet' in page.body.dataset)
  replace(page, 'link[rel=icon]')
  replace(page, 'link[rel=manifest]')
  const { owner } = page.body.dataset
  if (owner === undefined) delete document.body.dataset.owner
  else document.body.dataset.owner = owner
  const { theme } = page.documentElement.dataset
  if (theme) document.documentElement.dataset.theme = theme
  startIslands(document.getElementById('page') ?? document)
}

function replace(page: Document, selector: string): void {
  const old = document.querySelector(selector)
  const fresh = page.querySelector(selector)
  if (!old || !fresh || old.isEqualNode(fresh)) return
  // A dialog that goes with the page would take the toasts along.
  if (old.querySelector('#toast-host')) giveToastsBack()
  stopIslands(old)
  old.replaceWith(document.adoptNode(fresh))
}

/** The console has a stylesheet of its own: it has to be there before its page is. */
async function addStyles(page: Document): Promise<void> {
  const missing = [...page.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')].filter(
    (link) => !document.querySelector(`link[href="${link.getAttribute('href')}"]`),
  )
  await Promise.all(
    missing.map(
      (link) =>
        new Promise((resolve, reject) => {
          const style = document.importNode(link)
          style.onload = resolve
          style.onerror = reject
          document.head.append(style)
        }),
    ),
  )
}

function buildOf(page: Document): string | null {
  return page.querySelector('meta[name="nocturne-build"]')?.getAttribute('content') ?? null
}
