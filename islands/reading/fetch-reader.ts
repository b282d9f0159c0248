import { parsePage } from '#islands/navigation/parse-page'

/** The reader's parts of an item's page, for showing them elsewhere. */
export type ReaderParts = { url: string; title: string; bar: Element; grid: HTMLElement }

/** Fetches an item's page; null where it has no reader, or is of another build. Throws without an answer. */
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

/** The list behind has its own `main`: a page has only one. */
function toGrid(main: Element): HTMLElement {
  const grid = document.createElement('div')
  grid.className = main.className
  grid.append(...main.childNodes)
  return grid
}

function buildOf(page: Document): string | null {
  return page.querySelector('meta[name="nocturne-build"]')?.getAttribute('content') ?? null
}
