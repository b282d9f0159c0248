import PasskeySignIn from '#islands/member/passkey-sign-in'
import { UnsentInput } from '#src/request/unsent-form'
import type { Provider } from '#src/social/rules'
import { itemMinutes, narratorLine } from '#src/story/narrator-words'
import type { Item } from '#src/story/schema'
import { joinFacts } from '#src/text/join-facts'
import { AuthForm, type AuthMode, authTitle, authWords, type TypedNames } from '#src/ui/auth-form'
import { AuthPage } from '#src/ui/auth-page'
import { Cover } from '#src/ui/cover'
import type { FormError } from '#src/ui/field-problem'
import { Island } from '#src/ui/island'
import { urls } from '#src/urls'

export type LandingForm = {
  mode: AuthMode
  next?: string
  /** The input of another form, from before the session ended. */
  unsent?: string
  typed?: TypedNames
  problem?: FormError
  /** Why a form is shown here, if that is not obvious. */
  hint?: string
}

/** The sign-up page, and the page that signs in without a script: two forms in one frame. */
export function Landing({
  siteName,
  form,
  providers = [],
  newest,
}: {
  siteName: string
  form: LandingForm
  providers?: readonly Provider[]
  newest: readonly Item[]
}) {
  const { mode, next, unsent, typed, problem, hint } = form
  return (
    <>
      <AuthPage
        siteName={siteName}
        title={authTitle(mode, siteName)}
        words={hint ?? authWords(mode)}
        small={mode === 'register' ? <SmallPrint /> : undefined}
      >
        <AuthForm
          key={mode}
          mode={mode}
          providers={providers}
          action={mode === 'register' ? urls.register() : urls.signIn()}
          next={next}
          unsentInput={unsent && <UnsentInput unsent={unsent} />}
          typed={typed}
          problem={problem}
          passkey={
            <Island
              name="passkey-sign-in"
              of={PasskeySignIn}
              when="press"
              props={{ next: next ?? urls.explore() }}
            />
          }
        />
      </AuthPage>
      {newest.length > 0 && (
        <section className="main" aria-labelledby="newest">
          <div className="main-inner">
            <div className="section-head">
              <h2 className="title-md" id="newest">
                On the shelf tonight
              </h2>
              <a className="link" href={urls.explore()}>
                Continue Browsing
              </a>
            </div>
            <div className="cover-grid">
              {newest.map((item) => (
                <a key={item.id} className="cover-link" href={urls.item(item)}>
                  <Cover title={item.title} shape="book" />
                  <span className="title-sm">{item.title}</span>
                  <span className="meta">{joinFacts(narratorLine(item), `${itemMinutes(item)} min`)}</span>
                </a>
              ))}
            </div>
          </div>
        </section>
      )}
    </>
  )
}

function SmallPrint() {
  return (
    <p className="meta landing-small">
      By signing up you confirm that you are 18 or older and agree to the{' '}
      <a className="link" href={urls.terms()}>
        terms
      </a>{' '}
      and the{' '}
      <a className="link" href={urls.privacy()}>
        privacy policy
      </a>
      .
    </p>
  )
}
