import { CircleAlert } from 'lucide-react'
import { Icon } from '#src/ui/icon'

/** What stands under a field: its hint, or in the hint's place what is wrong and the mend. */
export function FieldNote({ id, hint, error }: { id?: string; hint?: string; error?: string }) {
  if (error)
    return (
      <span className="hint hint-bad" id={id}>
        <Icon of={CircleAlert} size="sm" />
        {error}
      </span>
    )
  return hint ? (
    <span className="hint" id={id}>
      {hint}
    </span>
  ) : null
}
