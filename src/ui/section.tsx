import type { ReactNode } from 'react'

/** A part of a page under its heading. `link` stands at the heading's end. */
export function Section({
  id,
  title,
  link,
  children,
}: {
  /** The heading's, which names the section. */
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
