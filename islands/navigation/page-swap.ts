import { emit } from '#islands/runtime/events'
import { startIslands, stopIslands } from '#islands/runtime/page-islands'
import { giveToastsBack } from '#islands/site/show-dialog'

/** Puts a fetched page in the place of this one. `enter` is called right before its content is put in. */
export async function swapPage(page: Document, enter: () => void): Promise<void> {
  await addStyles(page)
  replaceContent(page, enter)
}

/** The data of the body: the page's frame, its owner, whether that is a visitor, and its title. */
const bodyAttributes = ['class', 'data-frame', 'data-owner', 'data-visitor', 'data-site', 'data-discreet']

function replaceContent(page: Document, enter: () => void): void {
  const isSameFrame = [document, page].every((each) => each.querySelector('#page > .shell'))
  // The pressed link and the focus go with these parts, and for that the browser lays out what has changed by then.
  if (isSameFrame) replaceLive(page)
  // Another address has all links styled again: so before the content, which is styled anyway.
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

/** Puts in what the frame of this page waits for, and what stands behind that. */
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
  // A dialog that is removed with the page would remove the toasts too.
  if (old.querySelector('#toast-host')) giveToastsBack(old)
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
