import type { ReactNode } from 'react'

export type Section = { id: string; name: ReactNode }

/** The index of a long page beside it, with a lamp at the section in view; narrow screens go without. */
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
