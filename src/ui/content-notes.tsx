import { ChevronDown, Info } from 'lucide-react'
import { Icon } from '#src/ui/icon'

/** What a person may want to know of an item beforehand; closed, since it may give away how it goes. */
export function ContentNotes({
  notes,
  look = 'quiet',
}: {
  notes: readonly string[]
  /** `block`: a part of a side column. */
  look?: 'quiet' | 'block'
}) {
  if (notes.length === 0) return null
  return (
    <details className={look === 'block' ? 'side-block notes' : 'notes notes-quiet'}>
      <summary>
        Content notes
        <span className="btn-row">
          <span className="meta">{notes.length}</span>
          <Icon of={ChevronDown} size="sm" />
        </span>
      </summary>
      <NoteList notes={notes} />
    </details>
  )
}

export function NoteList({ notes }: { notes: readonly string[] }) {
  return (
    <ul className="tick-list">
      {notes.map((note) => (
        <li key={note}>
          <Icon of={Info} size="sm" />
          <span>{note}</span>
        </li>
      ))}
    </ul>
  )
}
