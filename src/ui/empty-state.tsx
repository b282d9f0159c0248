import type { ReactNode } from 'react'

/** A message about an empty list or page, and one thing to do next. */
export function EmptyState({
  title,
  words,
  isPage = false,
  children,
}: {
  title: string
  words?: string
  /** Whether the state is the whole page, so that its title is the page's. */
  isPage?: boolean
  /** The link or button to continue with. */
  children?: ReactNode
}) {
  return (
    <div className="empty">
      <EmptyArt />
      {isPage ? <h1 className="title-lg">{title}</h1> : <h2 className="title-md">{title}</h2>}
      {words && <p className="lead">{words}</p>}
      {children}
    </div>
  )
}

function EmptyArt() {
  return (
    <svg
      className="empty-art"
      viewBox="0 0 120 84"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      aria-hidden="true"
    >
      <path d="M14 74h92M26 74V52a34 34 0 0 1 68 0v22" />
      <path d="M60 18v56M26 54h68" />
      <path d="M104 12a8 8 0 1 0 5 12 7 7 0 0 1-5-12z" fill="currentColor" stroke="none" />
    </svg>
  )
}
