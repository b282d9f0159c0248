import { EmailField, NewPasswordField } from '#src/ui/account-fields'
import { Button, ButtonLink } from '#src/ui/button'
import type { FormError } from '#src/ui/field-problem'
import { FormFields } from '#src/ui/form-fields'
import { urls } from '#src/urls'

/** The form that requests the mail. */
export function AskForm({ email, problem }: { email?: string; problem?: FormError }) {
  return (
    <form className="stack" action={urls.resetPassword()} method="post">
      <FormFields problem={problem}>
        <EmailField label="Email" defaultValue={email} required />
      </FormFields>
      <Button kind="primary" size="lg" isBlock type="submit">
        Send the mail
      </Button>
      <BackToSignIn />
    </form>
  )
}

export function EmailSent() {
  return (
    <>
      <p className="prose">
        The link works once, within an hour. Nothing there? Check your spam folder, and that the address is
        the one you joined with.
      </p>
      <BackToSignIn />
    </>
  )
}

export function ChooseForm({ token, problem }: { token: string; problem?: FormError }) {
  return (
    <form className="stack" action={urls.chooseNewPassword()} method="post">
      <input type="hidden" name="token" value={token} />
      <FormFields problem={problem}>
        <NewPasswordField label="New password" />
      </FormFields>
      <Button kind="primary" size="lg" isBlock type="submit">
        Save Password
      </Button>
      <p className="meta">
        Does the link not work?{' '}
        <a className="link" href={urls.resetPassword()}>
          Ask for a new one
        </a>
      </p>
      <BackToSignIn />
    </form>
  )
}

export function ConfirmForm({ token, problem }: { token: string; problem?: FormError }) {
  return (
    <form className="stack" action={urls.verifyEmail()} method="post">
      <input type="hidden" name="token" value={token} />
      <FormFields problem={problem} />
      <Button kind="primary" size="lg" isBlock type="submit">
        Yes, this is my address
      </Button>
      <p className="meta">
        Not yours? Close this page. Nothing is locked, and nothing is kept of your visit.
      </p>
    </form>
  )
}

export function Confirmed() {
  return (
    <ButtonLink kind="primary" size="lg" isBlock href={urls.explore()}>
      Explore Audios
    </ButtonLink>
  )
}

function BackToSignIn() {
  return (
    <p className="meta">
      Remembered it?{' '}
      <a className="link" href={urls.signIn()}>
        Sign in
      </a>
    </p>
  )
}
