import { Check } from 'lucide-react'
import type { Item } from '#src/story/schema'
import { AuthForm, type AuthMode, authTitle, authWords } from '#src/ui/auth-form'
import { Brand } from '#src/ui/brand-mark'
import { Cover } from '#src/ui/cover'
import { Icon } from '#src/ui/icon'
import { itemMinutes, narratorLine } from '#src/ui/narrator-line'
import { NightScene } from '#src/ui/night-scene'
import { urls } from '#src/urls'

const promises = [
  'Every story, read or listened to, from the same place',
  'Guided flows, alone or for two',
  'Plain titles, one key to leave at once',
]

export type LandingForm = { mode: AuthMode; next?: string; email?: string; error?: string }

/** The sign-up page, and signing in without a script: the same door, two forms. */
export function Landing({
  siteName,
  form,
  shelf,
}: {
  siteName: string
  form: LandingForm
  shelf: readonly Item[]
}) {
  const { mode, next, email, error } = form
  return (
    <>
      <div className="landing">
        <section className="landing-art" aria-label={siteName}>
          <NightScene x={470} wide={700} high={800} lift={0.78} />
          <Brand siteName={siteName} />
          <div className="landing-quote">
            <p className="title-xl">Somewhere, one lamp is still on.</p>
            <ul className="ticks">
              {promises.map((promise) => (
                <li key={promise}>
                  <Icon of={Check} size="sm" />
                  <span>{promise}</span>
                </li>
              ))}
            </ul>
          </div>
        </section>
        <main className="landing-form" id="main">
          <section className="stack" aria-labelledby="join">
            <div className="dialog-head">
              <h1 className="title-lg" id="join">
                {authTitle(mode, siteName)}
              </h1>
              <p className="lead">{authWords(mode)}</p>
            </div>
            <AuthForm
              key={mode}
              mode={mode}
              providers={[]}
              action={mode === 'register' ? urls.register() : urls.signIn()}
              next={next}
              email={email}
              error={error}
            />
          </section>
          {mode === 'register' && (
            <p className="meta landing-small">
              By signing up you say that you are 18 or older and agree to the{' '}
              <a className="link" href={urls.terms()}>
                terms
              </a>{' '}
              and the{' '}
              <a className="link" href={urls.privacy()}>
                privacy policy
              </a>
              .
            </p>
          )}
        </main>
      </div>
      {shelf.length > 0 && (
        <section className="main" aria-labelledby="shelf">
          <div className="main-inner">
            <div className="section-head">
              <h2 className="title-md" id="shelf">
                On the shelf tonight
              </h2>
              <a className="link" href={urls.explore()}>
                Continue Browsing
              </a>
            </div>
            <div className="shelf">
              {shelf.map((item) => (
                <a key={item.id} className="shelf-item" href={urls.item(item)}>
                  <Cover title={item.title} shape="book" />
                  <span className="title-sm">{item.title}</span>
                  <span className="meta">
                    {[narratorLine(item), `${itemMinutes(item)} min`].filter(Boolean).join(' · ')}
                  </span>
                </a>
              ))}
            </div>
          </div>
        </section>
      )}
    </>
  )
}
