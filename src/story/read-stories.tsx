import Favorite from '#islands/favorite/favorite'
import type { ListMarks, Position } from '#src/favorite/list-marks'
import { ButtonLink } from '#src/ui/button'
import { EmptyState } from '#src/ui/empty-state'
import { cardTitleId } from '#src/ui/favorite-button'
import { CategoryChips } from '#src/ui/filters'
import { CardPlace, cardList, listPage, OwnPlace } from '#src/ui/fragments'
import { Island } from '#src/ui/island'
import { LengthFilter } from '#src/ui/length-filter'
import type { Manifest } from '#src/ui/manifest'
import { SearchForm } from '#src/ui/search-form'
import { StoryCardSkeletons } from '#src/ui/skeleton'
import { StoryCard } from '#src/ui/story-card'
import { urls } from '#src/urls'
import { MoreLink, Offers } from './explore'
import { contentKey, type Length, resultWords, searchCharactersMax } from './rules'
import type { Item, ItemList } from './schema'

const missingWords = 'Nothing here matches that. Try another word.'
const unfitWords = 'Nothing here matches. Try another choice.'

type ReadStoriesProps = {
  category: string | null
  length: Length | undefined
  /** Whether other items are offered because the list is empty. */
  hasOffers: boolean
  q: string
  categories: readonly string[]
  /** Null for members, who are not counted. */
  freeStoriesLeft: number | null
  freeStoryLimit: number
}

/** The page Read Stories: search, category chips, and stories to open. */
function ReadStories({
  list,
  category,
  length,
  hasOffers,
  q,
  categories,
  freeStoriesLeft,
  freeStoryLimit,
}: ReadStoriesProps & { list: ItemList }) {
  const isFiltered = category !== null || length !== undefined || q !== ''
  const address = { category: category ?? undefined, length, q: q || undefined }
  return (
    <>
      <div className="page-head">
        <h1 className="title-lg">Read Stories</h1>
        {freeStoriesLeft !== null && (
          <span className="badge badge-line">
            {freeStoriesLeft} of {freeStoryLimit} free stories left
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
          <p className="meta" data-count="" data-search={q || undefined} data-results={list.count}>
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
            <ReadCards />
          )}
        </div>
        {hasOffers && (
          <Offers>
            <ReadCards />
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

export const drawReadStories = listPage<ItemList, ReadStoriesProps>(ReadStories)

function ReadCards() {
  return (
    <section className="story-list" aria-label="Stories">
      <CardPlace />
    </section>
  )
}

type ReadCardProps = { isFavorite: boolean; isMember: boolean; isBegun: boolean }

function ReadCard({ item, isBegun, ...heart }: ReadCardProps & { item: Item }) {
  return (
    <StoryCard
      item={item}
      viewedId={item.id}
      percentRead={isBegun && <OwnPlace />}
      favorite={
        <Island
          name="favorite"
          id={`heart-${item.id}`}
          when="press"
          of={Favorite}
          props={{ contentKey: contentKey(item), titleId: cardTitleId(item.id), ...heart }}
        />
      }
    />
  )
}

const drawCards = cardList<Item, ReadCardProps>(ReadCard)

/**
 * Renders cards of stories to read. The reading progress is inserted into the cards of stories that the person has
 * begun.
 */
export function drawReadCards(
  { islandCodes }: Manifest,
  items: readonly Item[],
  { favorites, positions, isMember }: ListMarks & { isMember: boolean },
) {
  return drawCards(islandCodes, items, ({ id }) => {
    const ownWords = percentRead(positions.get(id))
    return { props: { isFavorite: favorites.has(id), isMember, isBegun: ownWords !== null }, ownWords }
  })
}

function percentRead(position: Position | undefined): string | null {
  if (!position?.totalSeconds || position.positionSeconds <= 0) return null
  return String(Math.round(Math.min(1, position.positionSeconds / position.totalSeconds) * 100))
}
