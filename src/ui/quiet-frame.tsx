import type { ReactNode } from 'react'

/** A page that consists of a message. It is not an alert, because every page is announced by its title and heading. */
export function QuietPage({
  code,
  title,
  words,
  art,
  children,
}: {
  code: string
  title: string
  words: string
  /** The broken part of the window, in a drawing of 120 × 120. */
  art?: ReactNode
  children?: ReactNode
}) {
  return (
    <section className="quiet-page">
      <svg
        className="quiet-art"
        viewBox="0 0 120 120"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
      >
        <path d="M24 104V60a36 36 0 0 1 72 0v44zM60 24v80M24 64h72M14 104h92" />
        {art}
      </svg>
      <div>
        <span className="meta">{code}</span>
        <h1 className="title-lg">{title}</h1>
        <p className="prose">{words}</p>
        <div className="btn-row">{children}</div>
      </div>
    </section>
  )
}
