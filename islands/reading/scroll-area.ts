import { readFitsPixels } from '#src/listening/rules'

/** A text and what scrolls it: the page, or the reader's dialog. */
export type ScrollArea = {
  /** How much of the text has come into view, 0 to 1; 1 where all of it fits. */
  fraction(): number
  scrollTo(fraction: number): void
  isAtTop(): boolean
  /** Calls back at most once a frame, at every scroll and change of size. Gives the way to stop. */
  onMove(handle: () => void): () => void
}

/** The text around or beside an element; null where there is none. */
export function findScrollArea(inside: Element): ScrollArea | null {
  const text = (inside.closest('.reader') ?? inside.closest('main'))?.querySelector('.story-text')
  if (!text) return null
  const dialog = inside.closest('dialog')
  const scroller = dialog ?? document.documentElement

  /** How far has to be scrolled until the last line is in view. */
  const distance = () => {
    const top = dialog ? dialog.getBoundingClientRect().top : 0
    const textEnd = text.getBoundingClientRect().bottom - top + scroller.scrollTop
    const end = Math.min(textEnd, scroller.scrollHeight) - scroller.clientHeight
    return end <= readFitsPixels ? 0 : end
  }

  return {
    fraction() {
      const end = distance()
      return end === 0 ? 1 : Math.min(1, Math.max(0, scroller.scrollTop / end))
    },
    scrollTo(fraction) {
      scroller.scrollTo({ top: fraction * distance(), behavior: 'instant' })
    },
    isAtTop: () => scroller.scrollTop < 8,
    onMove(handle) {
      let frame = 0
      const onChange = () => {
        frame ||= requestAnimationFrame(() => {
          frame = 0
          handle()
        })
      }
      const target = dialog ?? document
      const sizes = new ResizeObserver(onChange)
      target.addEventListener('scroll', onChange, { passive: true })
      sizes.observe(text)
      return () => {
        cancelAnimationFrame(frame)
        target.removeEventListener('scroll', onChange)
        sizes.disconnect()
      }
    },
  }
}
