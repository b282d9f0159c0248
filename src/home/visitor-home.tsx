import type { Item } from '#src/story/schema'
import { pluralize } from '#src/text/pluralize'
import type { TrendingItem } from '#src/trending/schema'
import { ButtonLink } from '#src/ui/button'
import { CoverRow } from '#src/ui/cover-row'
import { urls } from '#src/urls'
import { TrendingList } from './trending-list'

/** Minimum of popular items: a row of six with fewer looks abandoned, and the items are in the list below anyway. */
const popularMin = 3

/** The start page of a visitor: popular items, and the sign-up. */
export function VisitorHome({
  popular,
  newest,
  freeStoriesLeft,
  freeStoryLimit,
}: {
  popular: readonly TrendingItem[]
  newest: readonly Item[]
  freeStoriesLeft: number | null
  freeStoryLimit: number
}) {
  const isSeen = popular.length >= popularMin
  return (
    <>
      <section aria-labelledby="popular">
        <header className="page-head">
          <div>
            <h1 className="title-lg" id="popular">
              {isSeen ? 'Popular tonight' : 'On the shelf tonight'}
            </h1>
            <p>
              {isSeen ? 'What others are listening to and reading right now.' : 'The newest in the library.'}
            </p>
          </div>
        </header>
        <CoverRow items={isSeen ? popular.slice(0, 6) : newest} />
      </section>
      <section className="section welcome" aria-labelledby="own">
        <div className="stack-sm">
          <h2 className="title-lg" id="own">
            An evening of your own
          </h2>
          <p className="prose">
            An account keeps your place, in the voice and in the text, on every device.
            {freeStoriesLeft !== null && ` ${leftWords(freeStoriesLeft, freeStoryLimit)}`}
          </p>
        </div>
        <ButtonLink kind="primary" size="lg" href={urls.landing()}>
          Sign Up Free
        </ButtonLink>
      </section>
      {popular.length > 0 && <TrendingList items={popular} />}
    </>
  )
}

function leftWords(left: number, limit: number): string {
  return `${left} of ${pluralize(limit, 'free story', 'free stories')} ${left === 1 ? 'is' : 'are'} left without one.`
}
