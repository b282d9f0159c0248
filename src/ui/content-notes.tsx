import { Icon } from '#src/ui/icon'

/** Notes about an item's content. They are collapsed, since they may reveal the plot. */
export function ContentNotes({
  notes,
  look = 'quiet',
}: {
  notes: readonly string[]
  /** `block` for a side column. */
  look?: 'quiet' | 'block'
}) {
  if (notes.length === 0) return null
  return (
    <details className={look === 'block' ? 'side-block notes' : 'notes notes-quiet'}>
      <summary>
        Content notes
        <span className="btn-row">
          <span className="meta">{notes.length}</span>
          <Icon name="i-lucide-sm-chevron-down" />
        </span>
      </summary>
      <NoteList notes={notes} />
    </details>
  )
}

function NoteList({ notes }: { notes: readonly string[] }) {
  return (
    <ul className="tick-list">
      {notes.map((note) => (
        <li key={note}>
          <Icon name="i-lucide-sm-info" />
          <span>{note}</span>
        </li>
      ))}
    </ul>
  )
}
