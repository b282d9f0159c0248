import { type Provider, providerLabels, providers } from '#src/social/rules'
import { Button, ButtonLink } from '#src/ui/button'
import { ProviderMark } from '#src/ui/provider-mark'
import { urls, withQuery } from '#src/urls'
import type { PanelProps } from './account-panel'

/** What opens the account beside the password: accounts elsewhere, each linked or to be linked. */
export function WaysInPanel(props: PanelProps) {
  const { view, problem } = props
  const { identities, hasPassword } = view.waysIn
  const shown = providers.filter(
    (each) => view.providers.includes(each) || identities.some(({ provider }) => provider === each),
  )
  const refused = problem?.panel === 'ways-in' && problem.field === null ? problem.message : null
  return (
    <section className="panel" id="ways-in" aria-labelledby="ways-in-title">
      <h2 id="ways-in-title">Ways to sign in</h2>
      {refused && (
        <p className="hint field-error" role="alert">
          {refused}
        </p>
      )}
      <div className="setting">
        <span>
          <b className="label">Password</b>
          <span className="hint">
            {hasPassword
              ? 'Set. Privacy & Security changes it.'
              : 'None yet. A letter brings a link to choose one.'}
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
    </section>
  )
}

function Identity({ provider, view, isBusy, onSubmit }: PanelProps & { provider: Provider }) {
  const label = providerLabels[provider]
  const identity = view.waysIn.identities.find((each) => each.provider === provider)
  return (
    <form
      className="setting"
      action={urls.settingsForm('unlink')}
      method="post"
      onSubmit={(event) => onSubmit('ways-in', event)}
    >
      <span>
        <b className="label">
          <ProviderMark name={provider} /> {label}
        </b>
        <span className="hint">{identity ? (identity.email ?? 'Linked') : 'Not linked'}</span>
      </span>
      <input type="hidden" name="provider" value={provider} />
      {identity ? (
        <Button size="sm" type="submit" disabled={isBusy} aria-label={`Unlink ${label}`}>
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
    </form>
  )
}
