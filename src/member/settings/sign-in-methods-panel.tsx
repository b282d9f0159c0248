import type { ReactNode } from 'react'
import { hasPasskeys } from '#islands/member/start-passkeys'
import { useHydrated } from '#islands/runtime/use-hydrated'
import { IslandTime } from '#islands/site/local-time'
import { passkeyNameCharactersMax } from '#src/passkey/rules'
import { type Provider, providerLabels, providers } from '#src/social/rules'
import { Button, ButtonLink } from '#src/ui/button'
import { Field } from '#src/ui/field'
import { FormFields } from '#src/ui/form-fields'
import { Notice } from '#src/ui/notice'
import { urls, withQuery } from '#src/urls'
import { OpenButton } from './open-button'
import { type PanelProps, PasswordField, SettingForm } from './setting-form'

/** The sign-in methods other than the password: accounts of other providers, linked or available. */
export function SignInMethodsPanel(props: PanelProps) {
  const { view, problem } = props
  const { identities, hasPassword } = view.signInMethods
  const shown = providers.filter(
    (each) => view.providers.includes(each) || identities.some(({ provider }) => provider === each),
  )
  const refused = problem?.panel === 'ways-in' && !asksPassword(props, problem.row) ? problem : null
  return (
    <section className="panel" id="ways-in" aria-labelledby="ways-in-title">
      <h2 id="ways-in-title">Ways to sign in</h2>
      {refused && (
        <Notice kind="bad" action={refused.field === 'password' && <SignInAgain />}>
          {refused.message}
        </Notice>
      )}
      <div className="setting">
        <span>
          <b className="label">Password</b>
          <span className="hint">
            {hasPassword
              ? 'Set. Privacy & Security changes it.'
              : 'None yet. We can mail you a link to choose one.'}
          </span>
        </span>
        {!hasPassword && (
          <ButtonLink size="sm" href={urls.resetPassword()}>
            Choose a Password
          </ButtonLink>
        )}
      </div>
      {shown.map((provider) => (
        <Identity key={provider} provider={provider} {...props} />
      ))}
      <Passkeys {...props} />
    </section>
  )
}

/** Whether the form of this row was refused until the password is typed. */
function asksPassword({ view, problem }: PanelProps, row: string | undefined): boolean {
  const isRefused = problem?.panel === 'ways-in' && problem.field === 'password' && problem.row === row
  return isRefused && view.hasPassword
}

/** A member without a password proves their presence by another sign-in. */
function SignInAgain() {
  return (
    <ButtonLink size="sm" href={urls.signIn({ next: urls.settings(), why: 'again' })}>
      Sign in again
    </ButtonLink>
  )
}

/** The form of a row that removes a sign-in method. It asks for the password once the server does. */
function RowForm({
  row,
  words,
  props,
  children,
}: {
  row: { name: 'provider' | 'id'; value: string }
  words: ReactNode
  props: PanelProps
  children: ReactNode
}) {
  const asks = asksPassword(props, row.value)
  const isPasskey = row.name === 'id'
  return (
    <form
      className={asks ? 'stack setting-form' : 'setting'}
      action={urls.settingsForm(isPasskey ? 'remove-passkey' : 'unlink')}
      method="post"
      onSubmit={(event) => props.onSubmit(isPasskey ? 'remove-passkey' : 'ways-in', event)}
    >
      <input type="hidden" {...row} />
      {words}
      {asks && (
        <FormFields problem={props.problem}>
          <PasswordField />
        </FormFields>
      )}
      {children}
    </form>
  )
}

function Identity({ provider, ...props }: PanelProps & { provider: Provider }) {
  const label = providerLabels[provider]
  const identity = props.view.signInMethods.identities.find((each) => each.provider === provider)
  return (
    <RowForm
      row={{ name: 'provider', value: provider }}
      words={
        <span>
          <b className="label">{label}</b>
          <span className="hint">{identity ? (identity.email ?? 'Linked') : 'Not linked'}</span>
        </span>
      }
      props={props}
    >
      {identity ? (
        <Button size="sm" type="submit" isBusy={props.isBusy} aria-label={`Unlink ${label}`}>
          Unlink
        </Button>
      ) : (
        <ButtonLink
          size="sm"
          href={withQuery(urls.apiAuth(provider), { link: 'true' })}
          data-hard=""
          aria-label={`Link ${label}`}
        >
          Link
        </ButtonLink>
      )}
    </RowForm>
  )
}

function Passkeys(props: PanelProps) {
  const { view, open, isBusy, onOpen } = props
  const canAdd = !useHydrated() || hasPasskeys()
  return (
    <>
      <div className="setting">
        <span>
          <b className="label">Passkeys</b>
          <span className="hint">
            {canAdd
              ? 'A fingerprint, a face or a PIN of your device in place of the password.'
              : 'This browser does not support passkeys.'}
          </span>
        </span>
        {canAdd && (
          <OpenButton panel="passkey" isOpen={open === 'passkey'} onOpen={onOpen}>
            Add a Passkey
          </OpenButton>
        )}
      </div>
      {open === 'passkey' && <PasskeyForm {...props} />}
      {view.signInMethods.passkeys.map(({ id, name, createdAt, lastUsedAt }) => (
        <RowForm
          key={id}
          row={{ name: 'id', value: id }}
          words={
            <span>
              <b className="label">{name}</b>
              <span className="hint">
                {lastUsedAt ? (
                  <>
                    Last used <IslandTime at={lastUsedAt} />
                  </>
                ) : (
                  <>
                    Added <IslandTime at={createdAt} />
                  </>
                )}
              </span>
            </span>
          }
          props={props}
        >
          <Button size="sm" type="submit" isBusy={isBusy} aria-label={`Remove ${name}`}>
            Remove
          </Button>
        </RowForm>
      ))}
    </>
  )
}

/** The form to add a passkey. It needs a script, since the device creates the passkey. */
function PasskeyForm(props: PanelProps) {
  const { view, problem } = props
  const isRefused = problem?.panel === 'passkey' && problem.field === 'password'
  const asksPassword = (!view.isFresh && view.hasPassword) || isRefused
  return (
    <SettingForm {...props} panel="passkey" label="Add a passkey" submit="Continue">
      <noscript>
        <p className="hint">This needs JavaScript: a script asks your device.</p>
      </noscript>
      <Field
        label="Name"
        name="name"
        autoComplete="off"
        maxLength={passkeyNameCharactersMax}
        hint="Such as My phone. Left empty, it is named after this device."
      />
      {asksPassword && <PasswordField isRequired={view.hasPassword} />}
    </SettingForm>
  )
}
