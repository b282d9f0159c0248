import { followReading } from '#islands/reading/follow-reading'
import { findScrollArea, type ScrollArea } from '#islands/reading/scroll-area'
import { resumeFraction } from '#islands/reading/session'
import { countReadStory } from '#islands/reading/stories-count'
import type { ItemType } from '#src/story/rules'
import { railFigures } from '#src/ui/rail-figures'

export type StoryReaderProps = {
  contentId: string
  contentType: ItemType
  /** The whole text is on the page: reading is followed. */
  isOpen: boolean
  isMember: boolean
  title: string
  /** Rounded-up reading minutes. */
  readingMinutes: number
  /** Where reading stopped: seconds of the estimated total. */
  lastPositionSec: number
}

/** The notice disappears after this much further reading. */
const noteFraction = 0.04

/**
 * The reading progress: the rail beside the text, milestones, completion and reports. `host` is around a ReadingPlace.
 * Returns a function that closes the reading.
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
    // A text that is set again is announced again.
    if (part && part.textContent !== words) part.textContent = words
  }
  rail.querySelector('rect:nth-of-type(2)')?.setAttribute('height', String(y))
  rail.querySelector('circle')?.setAttribute('cy', String(y))
}

/**
 * Scrolls to the saved position, unless the reader has begun to scroll: then it is only offered. Returns what removes
 * the note once one has read on.
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
