/**
 * A release closes the sheet after `farPx`, or after `quickPx` if the finger was faster than `quickPxAMs` pixels per
 * millisecond.
 */
const farPx = 120
const quickPx = 40
const quickPxAMs = 0.5

/** Whether a swipe of `px` pixels down in `ms` milliseconds closes the sheet. */
export function closesSheet(px: number, ms: number): boolean {
  return px >= farPx || (px >= quickPx && px / Math.max(1, ms) >= quickPxAMs)
}

/**
 * Lets a sheet follow a finger that pulls it down from its top. At the release it is closed by `close`, or springs
 * back. Sliders and a scrolled sheet keep their own gestures. Returns a function that stops this.
 */
export function startSwipeDown(sheet: HTMLElement, close: () => void): () => void {
  let begun: { y: number; atMs: number } | null = null
  let pulledPx = 0

  const begin = (event: TouchEvent) => {
    const [touch] = event.touches
    const isOwn = event.target instanceof Element && event.target.closest('input')
    begun =
      touch && event.touches.length === 1 && !isOwn && sheet.scrollTop <= 0
        ? { y: touch.clientY, atMs: event.timeStamp }
        : null
  }
  const move = (event: TouchEvent) => {
    const [touch] = event.touches
    if (!begun || !touch) return
    pulledPx = Math.max(0, touch.clientY - begun.y)
    if (pulledPx === 0) return
    // Otherwise the browser treats the gesture as scrolling.
    if (event.cancelable) event.preventDefault()
    sheet.style.translate = `0 ${pulledPx}px`
  }
  const end = (event: TouchEvent) => {
    const isClosed = begun && event.type === 'touchend' && closesSheet(pulledPx, event.timeStamp - begun.atMs)
    begun = null
    pulledPx = 0
    if (isClosed) close()
    else sheet.style.translate = ''
  }

  sheet.addEventListener('touchstart', begin, { passive: true })
  sheet.addEventListener('touchmove', move, { passive: false })
  sheet.addEventListener('touchend', end)
  sheet.addEventListener('touchcancel', end)
  return () => {
    sheet.removeEventListener('touchstart', begin)
    sheet.removeEventListener('touchmove', move)
    sheet.removeEventListener('touchend', end)
    sheet.removeEventListener('touchcancel', end)
  }
}
