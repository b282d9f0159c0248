import { BrandMark } from '#src/ui/brand-mark'
import { Button, ButtonLink } from '#src/ui/button'
import { NightScene } from '#src/ui/night-scene'
import { Notice } from '#src/ui/notice'
import { urls } from '#src/urls'

/**
 * The age gate, shown instead of every page until the visitor confirms to be an adult. A plain form that needs no
 * script.
 */
export function AgeGate({
  siteName,
  next,
  action,
  leaveHref,
  provider,
  error,
}: {
  siteName: string
  /** The requested page. */
  next: string
  action: string
  leaveHref: string
  /** The age provider's host, if self-declaration is not enough. */
  provider?: string
  /** Why the gate is shown again. */
  error?: string
}) {
  return (
    <main className="age" id="main">
      <NightScene x={1010} wide={1280} high={800} />
      <section className="dialog dialog-centre" aria-labelledby="age-title">
        <span className="age-mark">
          <BrandMark />
        </span>
        <div className="dialog-head">
          <h1 className="title-lg" id="age-title">
            Are you 18 or older?
          </h1>
          <p className="prose">
            {siteName} is a library of stories for adults. Nothing is shown, kept or counted before you
            answer.
          </p>
        </div>
        {error && <Notice kind="bad">{error}</Notice>}
        {provider ? (
          <div className="stack-sm age-choices">
            <ButtonLink
              kind="primary"
              size="lg"
              isBlock
              href={urls.ageCheck({ next })}
              rel="nofollow"
              data-hard=""
            >
              Show it at {provider}
            </ButtonLink>
            <LeaveLink href={leaveHref} />
          </div>
        ) : (
          <form className="stack-sm age-choices" action={action} method="post">
            <input type="hidden" name="next" value={next} />
            <Button kind="primary" size="lg" isBlock type="submit">
              I am 18 or older
            </Button>
            <LeaveLink href={leaveHref} />
          </form>
        )}
        <p className="meta">
          {provider
            ? 'It tells us that you are of age, how it knows, and until when. That stays on this device.'
            : 'Your answer stays on this device.'}{' '}
          <a className="link" href={urls.privacy()}>
            Why we ask
          </a>
        </p>
      </section>
    </main>
  )
}

function LeaveLink({ href }: { href: string }) {
  return (
    <ButtonLink kind="quiet" size="lg" isBlock href={href} rel="nofollow" data-leave="" data-hard="">
      Leave
    </ButtonLink>
  )
}
