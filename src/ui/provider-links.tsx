import { type Provider, providerLabels } from '#src/social/rules'
import { ButtonLink } from '#src/ui/button'
import { ProviderMark } from '#src/ui/provider-mark'
import { urls, withQuery } from '#src/urls'

/** The ways to sign in with another company's account: browser navigation, never a fetch. */
export function ProviderLinks({ providers, next }: { providers: readonly Provider[]; next?: string }) {
  if (providers.length === 0) return null
  return (
    <>
      <div className="social">
        {providers.map((name) => (
          <ButtonLink
            key={name}
            href={withQuery(urls.apiAuth(name), { next })}
            aria-label={`Continue with ${providerLabels[name]}`}
            data-hard=""
          >
            <ProviderMark name={name} />
            <span>{providerLabels[name]}</span>
          </ButtonLink>
        ))}
      </div>
      <p className="or">or</p>
    </>
  )
}
