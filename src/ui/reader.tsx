import type { ReactNode } from 'react'

/**
 * The reader as a page of its own (frame `reader`). In the dialog over a list the same parts stand in a
 * `<dialog className="reader">`.
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
        {/* Before the text, above which they stand on a phone: it is drawn before the page has come to its end. */}
        {tools}
        <article className="reader-main">{children}</article>
      </main>
    </div>
  )
}
