import { whenIdle } from '#islands/runtime/when-idle'

/** So many cards take a phone 40 ms, which is no long task: a press that comes meanwhile hardly waits. */
const cardsAtOnce = 12
const cards = ':is(.card, .story-card, .rank)'

/**
 * Lets the page be shown before its cards far from the screen are styled, laid out and painted, which is half of the
 * work of a long list (`data-whole` in page.css). They follow when the browser is idle, some at a time: until then
 * screen readers do not know them, and their heights are guessed.
 */
export function layOutFarCardsLater(): void {
  delete document.documentElement.dataset.whole
  whenIdle(layOutSome)
}

/** At once: a scroll position is found again by the heights of what stands above. */
export function layOutFarCards(): void {
  document.documentElement.dataset.whole = ''
  // Soft navigation compares the markup with the server's.
  for (const card of document.querySelectorAll(`${cards}[style]`)) card.removeAttribute('style')
}

function layOutSome(): void {
  const far = document.querySelectorAll<HTMLElement>(`${cards}:not([style])`)
  for (const card of [...far].slice(0, cardsAtOnce)) card.style.contentVisibility = 'visible'
  if (far.length > cardsAtOnce) whenIdle(layOutSome)
  else layOutFarCards()
}
