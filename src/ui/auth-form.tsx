import type { FormEvent, MouseEvent, ReactNode } from 'react'
import { nameCharactersMax } from '#src/member/rules'
import type { Provider } from '#src/social/rules'
import { EmailField, NewPasswordField } from '#src/ui/account-fields'
import { Button } from '#src/ui/button'
import { Field } from '#src/ui/field'
import type { FormError } from '#src/ui/field-problem'
import { FormFields } from '#src/ui/form-fields'
import { ProviderLinks, submitUnsentTo } from '#src/ui/provider-links'
import { urls } from '#src/urls'

export type AuthMode = 'sign-in' | 'register'

/** The title of each mode. */
export function authTitle(mode: AuthMode, siteName: string): string {
  return mode === 'sign-in' ? 'Welcome Back!' : `Join ${siteName} FREE!`
}

export function authWords(mode: AuthMode): string {
  return mode === 'sign-in' ? 'Your place is kept.' : 'No card. Leave whenever you like.'
}

/** Typed text of a form that is shown again. */
export type TypedNames = { email?: string; firstName?: string; lastName?: string }

export type AuthFormProps = {
  mode: AuthMode
  /** The providers that the operator has configured. The row is left out if there are none. */
  providers: readonly Provider[]
  /** The address that the plain form is posted to. */
  action: string
  /** The page to return to. */
  next?: string
  /** Hidden fields with another form that is carried along, whichever sign-in method is used. */
  unsentInput?: ReactNode
  /** Why the form was refused. The field that the problem is about shows it, otherwise a notice. */
  problem?: FormError | null
  typed?: TypedNames
  isBusy?: boolean
  /** The passkey button, if the browser may support passkeys. */
  passkey?: ReactNode
  onSubmit?: (event: FormEvent<HTMLFormElement>) => void
  /** Switches to the other mode. Without it, the link works by itself. */
  onSwitch?: (event: MouseEvent<HTMLAnchorElement>) => void
}

/**
 * The form to sign in or to join: a plain POST form, used by the dialog and by /landing. Give it `key={mode}`, so that
 * changing the mode clears it.
 */
export function AuthForm({
  mode,
  providers,
  action,
  next,
  unsentInput,
  problem,
  typed,
  isBusy,
  passkey,
  onSubmit,
  onSwitch,
}: AuthFormProps) {
  const isJoining = mode === 'register'
  const form = unsentInput ? 'auth-form' : undefined
  const submitLabel = isJoining ? 'Create Account' : 'Sign In'
  return (
    <>
      <ProviderLinks providers={providers} next={next} form={form} />
      <form className="stack" id={form} action={action} method="post" onSubmit={onSubmit}>
        {next && <input type="hidden" name="next" value={next} />}
        {unsentInput}
        <FormFields problem={problem}>
          {isJoining && <Names typed={typed} />}
          <EmailField label="Email" defaultValue={typed?.email} required />
          <Password isJoining={isJoining} />
        </FormFields>
        <Button kind="primary" size="lg" isBlock type="submit" isBusy={isBusy}>
          {isBusy ? 'Authenticating...' : submitLabel}
        </Button>
      </form>
      {!isJoining && passkey}
      <SwitchLine isJoining={isJoining} next={next} form={form} onSwitch={onSwitch} />
    </>
  )
}

const nameFields = [
  { label: 'First name', name: 'firstName', autoComplete: 'given-name' },
  { label: 'Last name', name: 'lastName', autoComplete: 'family-name' },
] as const

function Names({ typed }: Pick<AuthFormProps, 'typed'>) {
  return (
    <div className="field-row">
      {nameFields.map((field) => (
        <Field key={field.name} {...field} maxLength={nameCharactersMax} defaultValue={typed?.[field.name]} />
      ))}
    </div>
  )
}

function Password({ isJoining }: { isJoining: boolean }) {
  if (isJoining) return <NewPasswordField label="Password" />
  const forgotten = (
    <a className="link hint" href={urls.resetPassword()} data-hard="">
      Forgotten password?
    </a>
  )
  return (
    <Field
      label="Password"
      type="password"
      name="password"
      autoComplete="current-password"
      minLength={1}
      required
      after={forgotten}
    />
  )
}

function SwitchLine({
  isJoining,
  next,
  form,
  onSwitch,
}: { isJoining: boolean; form?: string } & Pick<AuthFormProps, 'next' | 'onSwitch'>) {
  const mode = isJoining ? undefined : 'register'
  const words = isJoining ? 'Sign in' : 'Join free'
  return (
    <p className="meta">
      {isJoining ? 'Already have an account? ' : 'New here? '}
      {form ? (
        <button className="link" {...submitUnsentTo(form, mode ?? 'sign-in')}>
          {words}
        </button>
      ) : (
        <a className="link" href={urls.signIn({ next, mode })} onClick={onSwitch}>
          {words}
        </a>
      )}
    </p>
  )
}
