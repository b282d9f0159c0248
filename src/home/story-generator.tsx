import { Badge } from '#src/ui/badge'
import { ButtonLink } from '#src/ui/button'
import { NightScene } from '#src/ui/night-scene'
import { urls } from '#src/urls'

/** Teaser of a feature that does not exist yet. */
export function StoryGenerator() {
  return (
    <section className="hero" aria-labelledby="generator">
      <NightScene x={1130} />
      <div className="hero-copy">
        <Badge kind="lit">Coming Soon</Badge>
        <h1 className="title-xl" id="generator">
          AI Erotic Story Generator
        </h1>
        <p className="lead">
          Type a prompt, a place, two people, how it should feel, and a story is written for you alone. It is
          not here yet.
        </p>
        <div className="btn-row">
          <ButtonLink kind="primary" size="lg" href={urls.createStories()}>
            Create Stories
          </ButtonLink>
          <ButtonLink size="lg" href={urls.stories()}>
            Read Stories
          </ButtonLink>
        </div>
      </div>
    </section>
  )
}
