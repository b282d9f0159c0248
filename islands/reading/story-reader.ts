import { followReading } from '#islands/reading/follow-reading'
import { findScrollArea, type ScrollArea } from '#islands/reading/scroll-area'
import { resumeFraction } from '#islands/reading/session'
import { countReadStory } from '#islands/reading/stories-count'
import type { ItemType } from '#src/story/rules'
import { railFigures } from '#src/ui/rail-figures'

export type StoryReaderProps = {
  contentId: string
  contentType: ItemType
  /** Whether the whole text is on the page, so that its reading is tracked. */
  isOpen: boolean
  isMember: boolean
  title: string
  /** Reading time in minutes, rounded up. */
  readingMinutes: number
  /** Where reading stopped, in seconds of the estimated total. */
  lastPositionSec: number
}

/** The notice disappears after this fraction of the text was read. */
const noteFraction = 0.04

/**
 * Shows and reports the reading progress: the rail beside the text, milestones and completion. `host` contains a
 * ReadingPlace. Returns a function that ends the reading.
 */
export function mount(host: Element, props: StoryReaderProps): () => void {
  const { contentId, contentType, isOpen, isMember, title, readingMinutes, lastPositionSec } = props
  const area = findScrollArea(host)
  if (!isOpen || !area) return () => {}
  const totalSec = readingMinutes * 60
  const savedFraction = resumeFraction(lastPositionSec, totalSec)
  const note = host.querySelector<HTMLElement>('.reader-note')
  const onRead = note && savedFraction !== null ? resume(note, area, savedFraction) : null
  if (!isMember) countReadStory()
  return followReading({ contentId, contentType, title, totalSec }, area, savedFraction ?? 0, (fraction) => {
    showProgress(host, fraction, readingMinutes)
    onRead?.(fraction)
  })
}

function showProgress(host: Element, fraction: number, readingMinutes: number): void {
  const rail = host.querySelector('aside.rail')
  if (!rail) return
  const { percent, timeLeft, y } = railFigures(fraction, readingMinutes)
  for (const [selector, words] of [
    ['strong', percent],
    ['span', timeLeft],
  ] as const) {
    const part = rail.querySelector(selector)
    // Setting the same text again would announce it again.
    if (part && part.textContent !== words) part.textContent = words
  }
  rail.querySelector('rect:nth-of-type(2)')?.setAttribute('height', String(y))
  rail.querySelector('circle')?.setAttribute('cy', String(y))
}

/**
 * Scrolls to the saved position. If the reader has begun to scroll, the position is only offered. Returns a function
 * that removes the note once the reader has read on.
 */
function resume(note: HTMLElement, area: ScrollArea, saved: number): (fraction: number) => void {
  const isThere = area.isAtTop()
  if (isThere) area.scrollTo(saved)
  for (const other of note.querySelectorAll(isThere ? '[data-elsewhere]' : '[data-there]')) other.remove()
  note.hidden = false
  note.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest('button') : null
    if (button?.name === 'go') area.scrollTo(isThere ? 0 : saved)
    if (button) note.remove()
  })
  return (fraction) => {
    if (Math.abs(fraction - (isThere ? saved : 0)) > noteFraction) note.remove()
  }
}
