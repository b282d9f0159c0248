import { type Provider, providerLabels } from '#src/social/rules'
import { Button, ButtonLink } from '#src/ui/button'
import { ProviderMark } from '#src/ui/provider-mark'
import { urls, withQuery } from '#src/urls'

type ProviderLinksProps = {
  providers: readonly Provider[]
  next?: string
  /** The id of a form that is carried along. With it, the links are submit buttons of that form. */
  form?: string
}

/** Links to sign in with another company's account. They are browser navigation, never a fetch. */
export function ProviderLinks({ providers, next, form }: ProviderLinksProps) {
  if (providers.length === 0) return null
  return (
    <>
      <div className="social">
        {providers.map((name) => {
          const label = `Continue with ${providerLabels[name]}`
          const inner = (
            <>
              <ProviderMark name={name} />
              <span>{providerLabels[name]}</span>
            </>
          )
          return form ? (
            <Button key={name} aria-label={label} {...submitUnsentTo(form, name)}>
              {inner}
            </Button>
          ) : (
            <ButtonLink
              key={name}
              href={withQuery(urls.apiAuth(name), { next })}
              aria-label={label}
              data-hard=""
            >
              {inner}
            </ButtonLink>
          )
        })}
      </div>
      <p className="or">or</p>
    </>
  )
}

/**
 * Attributes of a button that leaves a sign-in form for another sign-in method and takes along what the form carries.
 */
export function submitUnsentTo(form: string, way: Provider | 'sign-in' | 'register') {
  return {
    type: 'submit',
    form,
    name: 'way',
    value: way,
    formAction: urls.signInCarried(),
    formNoValidate: true,
  } as const
}
