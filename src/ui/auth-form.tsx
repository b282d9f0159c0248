import type { FormEvent, MouseEvent, ReactNode } from 'react'
import { nameCharactersMax } from '#src/member/rules'
import type { Provider } from '#src/social/rules'
import { EmailField, NewPasswordField } from '#src/ui/account-fields'
import { Button } from '#src/ui/button'
import { Field } from '#src/ui/field'
import type { FormError } from '#src/ui/field-problem'
import { FormFields } from '#src/ui/form-fields'
import { carriedBy, ProviderLinks } from '#src/ui/provider-links'
import { urls } from '#src/urls'

export type AuthMode = 'sign-in' | 'register'

/** The title of each mode. */
export function authTitle(mode: AuthMode, siteName: string): string {
  return mode === 'sign-in' ? 'Welcome Back!' : `Join ${siteName} FREE!`
}

export function authWords(mode: AuthMode): string {
  return mode === 'sign-in' ? 'Your place is kept.' : 'No card. Leave whenever you like.'
}

/** What was typed into a form that is shown again. */
export type TypedNames = { email?: string; firstName?: string; lastName?: string }

export type AuthFormProps = {
  mode: AuthMode
  /** The providers that the operator has configured; none leaves the row out. */
  providers: readonly Provider[]
  /** Where the plain form is posted. */
  action: string
  /** The page to come back to. */
  next?: string
  /** Another form that goes with it, as hidden fields: every way in takes it along. */
  carried?: ReactNode
  /** Why it was refused: the field that it is about says so, else a notice. */
  problem?: FormError | null
  typed?: TypedNames
  isBusy?: boolean
  /** The passkey button, where the browser may support them. */
  passkey?: ReactNode
  onSubmit?: (event: FormEvent<HTMLFormElement>) => void
  /** The other mode: a link that works by itself. */
  onSwitch?: (event: MouseEvent<HTMLAnchorElement>) => void
}

/**
 * Signing in and joining: a plain POST form, which the dialog and /landing share. Give it `key={mode}`, so that
 * changing modes clears it.
 */
export function AuthForm({
  mode,
  providers,
  action,
  next,
  carried,
  problem,
  typed,
  isBusy,
  passkey,
  onSubmit,
  onSwitch,
}: AuthFormProps) {
  const isJoining = mode === 'register'
  const form = carried ? 'auth-form' : undefined
  const submitLabel = isJoining ? 'Create Account' : 'Sign In'
  return (
    <>
      <ProviderLinks providers={providers} next={next} form={form} />
      <form className="stack" id={form} action={action} method="post" onSubmit={onSubmit}>
        {next && <input type="hidden" name="next" value={next} />}
        {carried}
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
        <button className="link" {...carriedBy(form, mode ?? 'sign-in')}>
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
