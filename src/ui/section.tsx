import type { ReactNode } from 'react'

/** A part of a page with a heading. `link` is at the heading's end. */
export function Section({
  id,
  title,
  link,
  children,
}: {
  /** The id of the heading, which labels the section. */
  id: string
  title: ReactNode
  link?: { href: string; label: string }
  children: ReactNode
}) {
  return (
    <section className="section" aria-labelledby={id}>
      <div className="section-head">
        <h2 className="title-md" id={id}>
          {title}
        </h2>
        {link && (
          <a className="link" href={link.href}>
            {link.label}
          </a>
        )}
      </div>
      {children}
    </section>
  )
}
