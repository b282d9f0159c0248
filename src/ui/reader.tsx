import type { ReactNode } from 'react'

/**
 * The reader as a page of its own (frame `reader`). The dialog over a list has the same parts in a `<dialog
 * className="reader">`.
 */
export function Reader({
  bar,
  rail,
  tools,
  children,
}: {
  bar: ReactNode
  rail?: ReactNode
  tools?: ReactNode
  /** ReaderHead, then StoryText or SignUpPrompt. */
  children: ReactNode
}) {
  return (
    <div className="reader">
      {bar}
      <main className="reader-grid" id="main">
        {rail ?? <span className="rail" />}
        {/* Above the text on phones, so they precede it: the text is painted before the whole page has arrived, and
            would move. */}
        {tools}
        <article className="reader-main">{children}</article>
      </main>
    </div>
  )
}
