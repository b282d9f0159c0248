import { emit } from '#islands/runtime/events'
import { startIslands, stopIslands } from '#islands/runtime/page-islands'
import { giveToastsBack } from '#islands/site/show-dialog'

/** Replaces the current page with a fetched one. `enter` is called right before the new content is inserted. */
export async function swapPage(page: Document, enter: () => void): Promise<void> {
  await addStyles(page)
  replaceContent(page, enter)
}

/** Attributes that are copied to the body: the page's frame, its title, and what it says of its owner. */
const bodyAttributes = [
  'class',
  'data-frame',
  'data-owner',
  'data-visitor',
  'data-site',
  'data-discreet',
  'data-pin',
]

function replaceContent(page: Document, enter: () => void): void {
  const isSameFrame = [document, page].every((each) => each.querySelector('#page > .shell'))
  // These parts contain the pressed link and the focus. Removing the focused element forces a layout, so it is done
  // first, before there is more to lay out.
  if (isSameFrame) replaceLive(page)
  // Changing the address restyles every link, so it is done right before the content is replaced and styled anyway.
  enter()
  replace(page, isSameFrame ? '#main' : '#page')
  replace(page, 'link[rel=icon]')
  replace(page, 'link[rel=manifest]')
  for (const name of bodyAttributes) {
    const value = page.body.getAttribute(name)
    if (value === null) document.body.removeAttribute(name)
    else document.body.setAttribute(name, value)
  }
  document.title = page.title
  const { theme } = page.documentElement.dataset
  if (theme) document.documentElement.dataset.theme = theme
  startIslands(document.getElementById('page') ?? document)
}

/** Inserts the streamed content that the frame of this page waits for, and all that follows it. */
export function completePage(page: Document): void {
  const awaited = page.querySelector('[data-awaited]')
  const behind = [...page.querySelectorAll('[data-awaited] ~ *')]
  if (awaited) document.querySelector('[data-awaited]')?.replaceWith(awaited, ...behind)
  replaceLive(page)
  emit('nocturne:islands', { under: document.body })
}

function replaceLive(page: Document): void {
  for (const { dataset } of page.querySelectorAll<HTMLElement>('[data-live]'))
    replace(page, `[data-live="${dataset.live}"]`)
}

function replace(page: Document, selector: string): void {
  const old = document.querySelector(selector)
  const fresh = page.querySelector(selector)
  if (!old || !fresh || old.isEqualNode(fresh)) return
  // The toast host may be inside of an open dialog, and would be removed together with it.
  if (old.querySelector('#toast-host')) giveToastsBack(old)
  stopIslands(old)
  old.replaceWith(document.adoptNode(fresh))
}

/** Loads the stylesheets that the new page has and this one lacks, such as the console's, before the page is shown. */
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
