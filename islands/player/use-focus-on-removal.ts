import { type RefObject, useLayoutEffect, useRef } from 'react'

/**
 * Returns a ref for an element that may be removed while the focus is inside of it. The focus then moves to the element
 * that `findNext` returns. Otherwise it would be at the body, where a screen reader starts at the top of the page again.
 * `findNext` is called while the element is still in the page, and has to be the same function at each render.
 */
export function useFocusOnRemoval<T extends HTMLElement>(
  findNext: (removed: HTMLElement) => HTMLElement | null | undefined,
): RefObject<T | null> {
  const element = useRef<T>(null)
  // React runs the cleanup of a layout effect before it removes the element.
  useLayoutEffect(() => {
    const removed = element.current
    return () => {
      if (removed?.contains(document.activeElement)) findNext(removed)?.focus({ preventScroll: true })
    }
  }, [findNext])
  return element
}
