import type { ReactNode, Ref } from 'react'
import { Icon } from '#src/ui/icon'

/**
 * The frame of a dialog. An island opens it with showModal(), which traps the focus inside and restores it on
 * closing; Esc and the browser's own close request fire `onClose`.
 */
export function Dialog({
  id,
  title,
  words,
  width,
  isCentred = false,
  ref,
  onClose,
  children,
}: {
  /** The title gets `${id}-title`. */
  id: string
  title: string
  words?: ReactNode
  width?: 'narrow' | 'wide'
  isCentred?: boolean
  ref?: Ref<HTMLDialogElement>
  onClose?: () => void
  children: ReactNode
}) {
  const className = ['dialog', width && `dialog-${width}`, isCentred && 'dialog-centre']
  return (
    <dialog
      className={className.filter(Boolean).join(' ')}
      id={id}
      ref={ref}
      aria-labelledby={`${id}-title`}
      onClose={onClose}
    >
      <form method="dialog" className="dialog-close">
        <button className="icon-btn" type="submit" aria-label="Close">
          <Icon name="i-lucide-x" />
        </button>
      </form>
      <div className="dialog-head">
        <h2 className="title-lg" id={`${id}-title`}>
          {title}
        </h2>
        {words && <p className="lead">{words}</p>}
      </div>
      {children}
    </dialog>
  )
}
