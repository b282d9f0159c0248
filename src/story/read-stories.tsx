import Favorite from '#islands/favorite'
import type { Progress } from '#src/listening/schema'
import { ButtonLink } from '#src/ui/button'
import { EmptyState } from '#src/ui/empty-state'
import { CategoryChips } from '#src/ui/filters'
import { Island } from '#src/ui/island'
import { SearchForm } from '#src/ui/search-form'
import { StoryCardSkeletons } from '#src/ui/skeleton'
import { StoryCard } from '#src/ui/story-card'
import type { Viewer } from '#src/ui/viewer'
import { urls } from '#src/urls'
import { MoreLink } from './explore'
import type { ItemList } from './queries'
import { contentKey, resultWords, searchCharactersMax } from './rules'

/** Read Stories (visitor.md §2): search, chips, and stories to open. */
export function ReadStories({
  viewer,
  list,
  category,
  q,
  categories,
  favorites,
  progress,
  freeStoryLimit,
}: {
  viewer: Viewer
  list: ItemList
  category: string | null
  q: string
  categories: readonly string[]
  favorites: ReadonlySet<string>
  progress: ReadonlyMap<string, Progress>
  freeStoryLimit: number
}) {
  const isFiltered = category !== null || q !== ''
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
      <SearchForm
        action={urls.stories()}
        label="Search stories"
        value={q}
        maxLength={searchCharactersMax}
        hidden={{ category: category ?? undefined }}
        clearHref={isFiltered ? urls.stories() : undefined}
      />
      <CategoryChips
        categories={categories}
        current={category}
        hrefOf={(each) => urls.stories({ category: each ?? undefined, q: q || undefined })}
      />
      <div className="result-line">
        <p className="meta" role="status" data-search={q || undefined} data-results={list.count}>
          {resultWords(list.count, list.isAtLeast)}
        </p>
      </div>
      <div data-list="">
        {list.items.length === 0 ? (
          <EmptyState
            title="No stories found"
            words={isFiltered ? 'Nothing here is called that. Another word may find it.' : undefined}
          >
            {isFiltered && (
              <ButtonLink kind="quiet" href={urls.stories()}>
                Clear Filters
              </ButtonLink>
            )}
          </EmptyState>
        ) : (
          <section className="story-list" aria-label="Stories">
            {list.items.map((item) => (
              <StoryCard
                key={item.id}
                item={item}
                readFraction={fractionRead(progress.get(item.id))}
                favorite={
                  <Island
                    name="favorite"
                    id={`heart-${item.id}`}
                    when="visible"
                    of={Favorite}
                    props={{
                      contentKey: contentKey(item),
                      isFavorite: favorites.has(item.id),
                      isMember: viewer.member !== null,
                    }}
                  />
                }
              />
            ))}
          </section>
        )}
      </div>
      <template data-skeleton="">
        <StoryCardSkeletons />
      </template>
      <MoreLink
        href={
          list.nextCursor &&
          urls.stories({ category: category ?? undefined, q: q || undefined, cursor: list.nextCursor })
        }
      />
    </>
  )
}

function fractionRead(progress: Progress | undefined): number | null {
  if (!progress?.totalSec || progress.completed || progress.lastPositionSec <= 0) return null
  return Math.min(1, progress.lastPositionSec / progress.totalSec)
}
