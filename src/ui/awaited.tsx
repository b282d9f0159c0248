import { createElement, type ReactNode } from 'react'

/**
 * The place of what a page waits for. The content comes behind `frame` in the same answer, and the style sheet hides a
 * frame that something follows: no script is needed, and nothing else on the page moves.
 */
export function Awaited({ frame }: { frame: ReactNode }) {
  return (
    <div data-awaited="">
      <div className="awaited-frame">{frame}</div>
      {createElement('nocturne-content')}
    </div>
  )
}
