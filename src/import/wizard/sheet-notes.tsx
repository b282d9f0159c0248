import { pluralize } from '#src/text/pluralize'
import { Icon } from '#src/ui/icon'

/** Notes about parts of a file that were left out or interpreted as something else. */
export function SheetNotes({ notes }: { notes: readonly string[] }) {
  if (notes.length === 0) return null
  return (
    <details className="file-fold" open>
      <summary className="meta">
        {pluralize(notes.length, 'note')} on what was left out or interpreted
      </summary>
      <ul className="stack-sm" aria-label="Notes on the file">
        {notes.map((note) => (
          <li key={note} className="fix">
            <p>
              <Icon name="i-lucide-sm-triangle-alert" />
              <span>{note}</span>
            </p>
          </li>
        ))}
      </ul>
    </details>
  )
}
