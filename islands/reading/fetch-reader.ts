import { parsePage } from '#islands/navigation/parse-page'

/** The reader's parts of an item's page, to be shown elsewhere. */
export type ReaderParts = { url: string; title: string; bar: Element; grid: HTMLElement }

/**
 * Fetches an item's page. Returns null if it has no reader or belongs to another build. Throws if there is no response.
 */
export async function fetchReader(url: string, signal: AbortSignal): Promise<ReaderParts | null> {
  const response = await fetch(url, { signal, headers: { accept: 'text/html' } })
  const isPage = response.ok && response.headers.get('content-type')?.startsWith('text/html')
  if (!isPage) return null
  const page = parsePage(await response.text())
  const bar = page.querySelector('.reader > .reader-bar')
  const main = page.querySelector('.reader > .reader-grid')
  if (!bar || !main || buildOf(page) !== buildOf(document)) return null
  return { url: response.url, title: page.title, bar: document.adoptNode(bar), grid: toGrid(main) }
}

/** Turns the `main` element into a `div`: the list behind has a `main` of its own, and a page may have only one. */
function toGrid(main: Element): HTMLElement {
  const grid = document.createElement('div')
  grid.className = main.className
  grid.append(...main.childNodes)
  return grid
}

function buildOf(page: Document): string | null {
  return page.querySelector('meta[name="nocturne-build"]')?.getAttribute('content') ?? null
}
