import type { FormEvent, MouseEvent, ReactNode } from 'react'
import { Button } from '#src/ui/button'
import { urls } from '#src/urls'
import { PinField } from './pin-field'

export const pinTitle = 'Enter your PIN'

/** The form that unlocks a session: a plain POST form, used both by the page that replaces others and by the dialog. */
export function PinForm({
  next,
  unsentInput,
  error,
  isBusy,
  onSubmit,
  onPassword,
}: {
  /** The page to return to. */
  next: string
  /** A hidden field with another form that is carried along. */
  unsentInput?: ReactNode
  error?: string
  isBusy?: boolean
  onSubmit?: (event: FormEvent<HTMLFormElement>) => void
  /** Opens the password form instead. Without it, the link works by itself. */
  onPassword?: (event: MouseEvent<HTMLAnchorElement>) => void
}) {
  return (
    <form className="stack" action={urls.unlock()} method="post" data-hard="" onSubmit={onSubmit}>
      <input type="hidden" name="next" value={next} />
      {unsentInput}
      <PinField label="PIN" error={error} autoFocus />
      <Button kind="primary" isBlock type="submit" isBusy={isBusy}>
        Open
      </Button>
      <div className="btn-row">
        <a className="link" href={urls.signIn({ next })} data-hard="" onClick={onPassword}>
          Sign in with your password instead
        </a>
        <a className="link" href={urls.leave()} data-leave="" data-hard="">
          Leave
        </a>
      </div>
    </form>
  )
}
