import type { MouseEvent, ReactNode } from 'react'
import { ButtonLink } from '#src/ui/button'
import { Icon } from '#src/ui/icon'
import { LeaveButton } from '#src/ui/leave-button'

/** The bar at the top of the reader. Its links lead back to the list; in the dialog `onClose` closes it instead. */
export function ReaderBar({
  title,
  backHref,
  backLabel,
  favorite,
  onShare,
  onClose,
}: {
  title: string
  backHref: string
  backLabel: string
  favorite?: ReactNode
  /** Without it, there is no share button. */
  onShare?: () => void
  onClose?: (event: MouseEvent<HTMLAnchorElement>) => void
}) {
  return (
    <header className="reader-bar">
      <ButtonLink kind="ghost" href={backHref} aria-label={backLabel} onClick={onClose}>
        <Icon name="i-lucide-sm-chevron-left" />
        <span className="reader-bar-back">{backLabel}</span>
      </ButtonLink>
      <span className="reader-bar-title">{title}</span>
      <span className="btn-row">
        <LeaveButton />
        {onShare && (
          <button className="icon-btn hide-sm" type="button" aria-label="Share" onClick={onShare}>
            <Icon name="i-lucide-share-2" />
          </button>
        )}
        {favorite}
        <a className="icon-btn" href={backHref} aria-label="Close" onClick={onClose}>
          <Icon name="i-lucide-x" />
        </a>
      </span>
    </header>
  )
}
