import type { FormEvent, MouseEvent, ReactNode } from 'react'
import { Button } from '#src/ui/button'
import { urls } from '#src/urls'
import { PinField } from './pin-field'

export const pinTitle = 'Enter your PIN'

/** The form that unlocks a session: a plain POST form, which the page in place of others and the dialog share. */
export function PinForm({
  next,
  carried,
  error,
  isBusy,
  onSubmit,
  onPassword,
}: {
  /** The page to come back to. */
  next: string
  /** Another form that goes with it, as a hidden field. */
  carried?: ReactNode
  error?: string
  isBusy?: boolean
  onSubmit?: (event: FormEvent<HTMLFormElement>) => void
  /** The password in its place: a link that works by itself. */
  onPassword?: (event: MouseEvent<HTMLAnchorElement>) => void
}) {
  return (
    <form className="stack" action={urls.unlock()} method="post" data-hard="" onSubmit={onSubmit}>
      <input type="hidden" name="next" value={next} />
      {carried}
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
