import { X } from 'lucide-react'
import { Button } from '#src/ui/button'
import { Icon } from '#src/ui/icon'

/** Where an earlier reading stopped: one is there already, or may go there. */
export function ResumeNote({
  fraction,
  isThere,
  onGo,
  onClose,
}: {
  fraction: number
  isThere: boolean
  /** To the beginning where one is there, else to the place. */
  onGo: () => void
  onClose: () => void
}) {
  const percent = `${Math.round(fraction * 100)} %`
  return (
    <div className="reader-note" role="status">
      <p>{isThere ? `You are where you stopped, at ${percent}.` : `You stopped at ${percent}.`}</p>
      <Button kind="quiet" size="sm" onClick={onGo}>
        {isThere ? 'From the beginning' : 'Continue there'}
      </Button>
      <button className="icon-btn icon-btn-sm" type="button" aria-label="Dismiss" onClick={onClose}>
        <Icon of={X} size="sm" />
      </button>
    </div>
  )
}
