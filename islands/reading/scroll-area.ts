import { readFitsPixels } from '#src/listening/rules'

/** A text and the element that scrolls it: the page, or the reader's dialog. */
export type ScrollArea = {
  /** How much of the text has come into view, 0 to 1; 1 if all of it fits. */
  fraction(): number
  scrollTo(fraction: number): void
  isAtTop(): boolean
  /** Calls `handle` at every scroll, at most once a frame. Returns a function that stops it. */
  onScroll(handle: () => void): () => void
  /**
   * Calls `handle` when the text is laid out, first and after each change of its size. Returns a function that stops
   * it.
   */
  onLayout(handle: () => void): () => void
}

/** Finds the text around or beside an element. Returns null if there is none. */
export function findScrollArea(inside: Element): ScrollArea | null {
  const text = (inside.closest('.reader') ?? inside.closest('main'))?.querySelector('.story-text')
  if (!text) return null
  const dialog = inside.closest('dialog')
  const scroller = dialog ?? document.documentElement

  /** Returns the scroll distance in pixels until the last line is in view. */
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
    onScroll(handle) {
      let frame = 0
      const onScroll = () => {
        frame ||= requestAnimationFrame(() => {
          frame = 0
          handle()
        })
      }
      const target = dialog ?? document
      target.addEventListener('scroll', onScroll, { passive: true })
      return () => {
        cancelAnimationFrame(frame)
        target.removeEventListener('scroll', onScroll)
      }
    },
    onLayout(handle) {
      const sizes = new ResizeObserver(handle)
      sizes.observe(text)
      return () => sizes.disconnect()
    },
  }
}
