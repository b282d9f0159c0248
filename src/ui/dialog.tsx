import type { FormEvent, KeyboardEvent, ReactNode, Ref } from 'react'
import { Icon } from '#src/ui/icon'

/**
 * Frame of a dialog. An island opens it with `showDialog`, which traps the focus inside and restores it on closing. Esc
 * and the browser's own close request fire `onClose`. Where a dialog opens with a state and `onClose` resets it,
 * it opens in a layout effect, and each request is a new object: it must be open again before the close event of the
 * time before.
 */
export function Dialog({
  id,
  title,
  words,
  width,
  isCentred = false,
  ref,
  onClose,
  onAskedToClose,
  children,
}: {
  /** The title has the id `${id}-title`, the words `${id}-words`. */
  id: string
  title: string
  words?: ReactNode
  width?: 'narrow' | 'wide'
  isCentred?: boolean
  ref?: Ref<HTMLDialogElement>
  onClose?: () => void
  /** Called instead of closing, on Esc and on the close button. */
  onAskedToClose?: () => void
  children: ReactNode
}) {
  const className = ['dialog', width && `dialog-${width}`, isCentred && 'dialog-centre']
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.nativeEvent.isComposing) return
    // The key belongs to a dialog inside this one.
    if (event.target instanceof Element && event.target.closest('dialog') !== event.currentTarget) return
    event.preventDefault()
    onAskedToClose?.()
  }
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    onAskedToClose?.()
  }
  return (
    <dialog
      className={className.filter(Boolean).join(' ')}
      id={id}
      ref={ref}
      aria-labelledby={`${id}-title`}
      aria-describedby={words ? `${id}-words` : undefined}
      // The event is sent a moment after the dialog has closed: if it is open again by then, the event is about the time
      // before.
      onClose={(event) => event.currentTarget.open || onClose?.()}
      // `none`, because the browser's own close requests, Esc and Android's Back, cannot be prevented every time.
      closedby={onAskedToClose && 'none'}
      onKeyDown={onAskedToClose && onKeyDown}
    >
      <form method="dialog" className="dialog-close" onSubmit={onAskedToClose && onSubmit}>
        <button className="icon-btn" type="submit" aria-label="Close">
          <Icon name="i-lucide-x" />
        </button>
      </form>
      <div className="dialog-head">
        <h2 className="title-lg" id={`${id}-title`}>
          {title}
        </h2>
        {words && (
          <p className="lead" id={`${id}-words`}>
            {words}
          </p>
        )}
      </div>
      {children}
    </dialog>
  )
}
