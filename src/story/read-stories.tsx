import Favorite from '#islands/favorite/favorite'
import type { Progress } from '#src/listening/schema'
import { ButtonLink } from '#src/ui/button'
import { EmptyState } from '#src/ui/empty-state'
import { CategoryChips } from '#src/ui/filters'
import { CardList } from '#src/ui/fragments'
import { Island } from '#src/ui/island'
import { LengthFilter } from '#src/ui/length-filter'
import { SearchForm } from '#src/ui/search-form'
import { StoryCardSkeletons } from '#src/ui/skeleton'
import { StoryCard } from '#src/ui/story-card'
import type { Viewer } from '#src/ui/viewer'
import { urls } from '#src/urls'
import { MoreLink, Offers } from './explore'
import { contentKey, type Length, resultWords, searchCharactersMax } from './rules'
import type { ItemList } from './schema'

const missingWords = 'Nothing here is called that. Another word may find it.'
const unfitWords = 'Nothing here fits. Another choice may.'

type ReadStoriesProps = {
  viewer: Viewer
  list: ItemList
  category: string | null
  length: Length | undefined
  /** Items that are offered where the list is empty. */
  offers: ItemList
  q: string
  categories: readonly string[]
  favorites: ReadonlySet<string>
  progress: ReadonlyMap<string, Progress>
  freeStoryLimit: number
}

/** The page Read Stories: search, category chips, and stories to open. */
export function ReadStories({
  viewer,
  list,
  category,
  length,
  offers,
  q,
  categories,
  favorites,
  progress,
  freeStoryLimit,
}: ReadStoriesProps) {
  const isFiltered = category !== null || length !== undefined || q !== ''
  const address = { category: category ?? undefined, length, q: q || undefined }
  const cards = { favorites, progress, isMember: viewer.member !== null }
  return (
    <>
      <div className="page-head">
        <h1 className="title-lg">Read Stories</h1>
        {viewer.freeStoriesLeft !== null && (
          <span className="badge badge-line">
            {viewer.freeStoriesLeft} of {freeStoryLimit} free stories left
          </span>
        )}
      </div>
      <Island name="typed-search" props={{}} when="use">
        <SearchForm
          action={urls.stories()}
          label="Search stories"
          value={q}
          maxLength={searchCharactersMax}
          hidden={{ category: address.category, length }}
          clearHref={isFiltered ? urls.stories() : undefined}
        />
      </Island>
      <div data-found="">
        <CategoryChips
          categories={categories}
          current={category}
          hrefOf={(each) => urls.stories({ ...address, category: each ?? undefined })}
        />
        <div className="result-line">
          <p className="meta" role="status" data-search={q || undefined} data-results={list.count}>
            {resultWords(list)}
          </p>
          <LengthFilter
            action={urls.stories()}
            length={length}
            hidden={{ category: address.category, q: address.q }}
          />
        </div>
        <div data-list="">
          {list.items.length === 0 ? (
            <EmptyState
              title="No stories found"
              words={(q && missingWords) || (isFiltered ? unfitWords : undefined)}
            >
              {isFiltered && (
                <ButtonLink kind="quiet" href={urls.stories()}>
                  Clear Filters
                </ButtonLink>
              )}
            </EmptyState>
          ) : (
            <ReadCards list={list} {...cards} />
          )}
        </div>
        {offers.items.length > 0 && (
          <Offers>
            <ReadCards list={offers} {...cards} />
          </Offers>
        )}
        <template data-skeleton="">
          <StoryCardSkeletons />
        </template>
        <MoreLink href={list.nextCursor && urls.stories({ ...address, cursor: list.nextCursor })} />
      </div>
    </>
  )
}

function fractionRead(progress: Progress | undefined): number | null {
  if (!progress?.totalSec || progress.completed || progress.lastPositionSec <= 0) return null
  return Math.min(1, progress.lastPositionSec / progress.totalSec)
}

/** Cards to read from. One that the member has begun is drawn for them alone. */
function ReadCards({
  list,
  favorites,
  progress,
  isMember,
}: Pick<ReadStoriesProps, 'list' | 'favorites' | 'progress'> & { isMember: boolean }) {
  return (
    <CardList
      className="story-list"
      label="Stories"
      items={list.items}
      cardOf={(item) => {
        const heart = { contentKey: contentKey(item), isFavorite: favorites.has(item.id), isMember }
        const readFraction = fractionRead(progress.get(item.id))
        return {
          variant: readFraction === null ? `read ${heart.isFavorite} ${isMember}` : null,
          draw: () => (
            <StoryCard
              item={item}
              viewedId={item.id}
              readFraction={readFraction}
              favorite={
                <Island name="favorite" id={`heart-${item.id}`} when="press" of={Favorite} props={heart} />
              }
            />
          ),
        }
      }}
    />
  )
}
