import type { ReactNode } from 'react'
import { ButtonLink } from '#src/ui/button'
import { Icon } from '#src/ui/icon'
import { NightScene } from '#src/ui/night-scene'
import { urls } from '#src/urls'

/** The welcome above Explore for first-time visitors. `sample` is the second button, which plays something. */
export function Hero({ freeStoryLimit, sample }: { freeStoryLimit: number | null; sample?: ReactNode }) {
  return (
    <section className="hero" aria-label="Welcome" data-welcome="">
      <NightScene x={1130} />
      <div className="hero-copy">
        <h1 className="title-xl">For after the house has gone quiet.</h1>
        <p className="lead">
          Narrated stories, written stories and guided flows for adults.
          {freeStoryLimit ? ` ${freeStoriesWords(freeStoryLimit)} before you sign up.` : ''}
        </p>
        <div className="btn-row">
          <ButtonLink kind="primary" size="lg" href={urls.landing()}>
            Sign Up Free
          </ButtonLink>
          {sample}
        </div>
      </div>
      <button className="icon-btn" type="button" data-hide-welcome="" aria-label="Hide this welcome">
        <Icon name="i-lucide-x" />
      </button>
    </section>
  )
}

const numberWords = ['One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine', 'Ten']

function freeStoriesWords(count: number): string {
  if (count === 1) return 'One story is yours to read'
  return `${numberWords[count - 1] ?? count} stories are yours to read`
}
