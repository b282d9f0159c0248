import { Icon } from '#src/ui/icon'

/** The note below a field: its hint or, instead of that, the error with its fix. */
export function FieldNote({ id, hint, error }: { id?: string; hint?: string; error?: string | null }) {
  if (error)
    return (
      <span className="hint hint-bad" id={id}>
        <Icon name="i-lucide-sm-circle-alert" />
        {error}
      </span>
    )
  return hint ? (
    <span className="hint" id={id}>
      {hint}
    </span>
  ) : null
}
