import { createElement, type ReactNode } from 'react'

/**
 * Placeholder of content that a page waits for. The content follows `frame` in the same answer, and the style sheet
 * hides a frame that has a following sibling: no script is needed, and nothing else on the page moves.
 */
export function Awaited({ frame }: { frame: ReactNode }) {
  return (
    <div data-awaited="">
      <div className="awaited-frame">{frame}</div>
      {createElement('nocturne-content')}
    </div>
  )
}
