import type { ReactNode } from 'react'

export type Section = { id: string; name: ReactNode }

/** The table of contents beside a long page, with the section in view highlighted. Narrow screens do not show it. */
export function SideLinks({ sections }: { sections: readonly Section[] }) {
  return (
    <nav className="side-links" aria-label="On this page">
      {sections.map(({ id, name }) => (
        <a key={id} href={`#${id}`}>
          {name}
        </a>
      ))}
    </nav>
  )
}
