import type { ReactNode } from 'react'
import { Brand } from '#src/ui/brand-mark'
import { Icon } from '#src/ui/icon'
import { NightScene } from '#src/ui/night-scene'

const promises = [
  'Every story, read or listened to, from the same place',
  'Guided flows, alone or for two',
  'Plain titles, one key to leave at once',
]

/** Frame of pages for people who are not signed in: sign-up, sign-in, a new password, a confirmed address. */
export function AuthPage({
  siteName,
  title,
  words,
  small,
  children,
}: {
  siteName: string
  title: string
  words: string
  /** Small print below the card. */
  small?: ReactNode
  children: ReactNode
}) {
  return (
    <div className="landing">
      <section className="landing-art" aria-label={siteName}>
        <NightScene x={470} wide={700} high={800} lift={0.78} />
        <Brand siteName={siteName} />
        <div className="landing-quote">
          <p className="title-xl">Somewhere, one lamp is still on.</p>
          <ul className="ticks">
            {promises.map((promise) => (
              <li key={promise}>
                <Icon name="i-lucide-sm-check" />
                <span>{promise}</span>
              </li>
            ))}
          </ul>
        </div>
      </section>
      <main className="landing-form" id="main">
        <section className="stack" aria-labelledby="auth-title">
          <div className="dialog-head">
            <h1 className="title-lg" id="auth-title">
              {title}
            </h1>
            <p className="lead">{words}</p>
          </div>
          {children}
        </section>
        {small}
      </main>
    </div>
  )
}
