import CardControlsIsland from '#islands/card-controls'
import SampleButton from '#islands/sample-button'
import { ButtonLink } from '#src/ui/button'
import { ContentCard } from '#src/ui/content-card'
import { EmptyState } from '#src/ui/empty-state'
import { CategoryChips, TypeSegment } from '#src/ui/filters'
import { Hero } from '#src/ui/hero'
import { Island } from '#src/ui/island'
import { itemMinutes } from '#src/ui/narrator-line'
import { CardSkeletons } from '#src/ui/skeleton'
import type { Viewer } from '#src/ui/viewer'
import { urls } from '#src/urls'
import type { ItemList } from './queries'
import { contentKey, type ItemType, resultWords } from './rules'
import type { Item } from './schema'
import { trackOf } from './track'

/** Explore Audios (visitor.md §2): what there is to hear, by type and category. */
export function Explore({
  viewer,
  list,
  type,
  category,
  categories,
  favorites,
  hasWelcome,
  freeStoryLimit,
  sample,
}: {
  viewer: Viewer
  list: ItemList
  type: ItemType
  category: string | null
  categories: readonly string[]
  favorites: ReadonlySet<string>
  hasWelcome: boolean
  freeStoryLimit: number
  /** Something free to hear, for the welcome. */
  sample?: Item
}) {
  const words = type === 'story' ? 'stories' : 'flows'
  return (
    <>
      {hasWelcome ? (
        <Hero
          freeStoryLimit={freeStoryLimit}
          sample={
            sample && <Island name="sample-button" of={SampleButton} props={{ track: trackOf(sample) }} />
          }
        />
      ) : (
        <h1 className="visually-hidden">Explore Audios</h1>
      )}
      <div className="filters">
        <TypeSegment type={type} hrefOf={(each) => urls.explore({ type: each })} />
        <CategoryChips
          categories={categories}
          current={category}
          hrefOf={(each) => urls.explore({ type, category: each ?? undefined })}
        />
      </div>
      <div className="result-line">
        <p className="meta" role="status">
          {resultWords(list.count, list.isAtLeast)}
        </p>
        <a className="link" href={urls.trending()}>
          Trending Now
        </a>
      </div>
      <div data-list="">
        {list.items.length === 0 ? (
          <EmptyState title={`No ${words} found`}>
            {category && (
              <ButtonLink kind="quiet" href={urls.explore({ type })}>
                View All
              </ButtonLink>
            )}
          </EmptyState>
        ) : (
          <section className="card-grid" aria-label={type === 'story' ? 'Stories' : 'Flows'}>
            {list.items.map((item) => (
              <ContentCard
                key={item.id}
                item={item}
                controls={
                  <Island
                    name="card-controls"
                    id={`card-${item.id}`}
                    when="visible"
                    of={CardControlsIsland}
                    props={{
                      track: trackOf(item),
                      contentKey: contentKey(item),
                      minutes: itemMinutes(item),
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
        <CardSkeletons />
      </template>
      <MoreLink
        href={
          list.nextCursor && urls.explore({ type, category: category ?? undefined, cursor: list.nextCursor })
        }
      />
    </>
  )
}

/** The next page, as a link: paging works without a script. */
export function MoreLink({ href }: { href: string | null }) {
  if (!href) return null
  return (
    <nav className="section btn-row" aria-label="More">
      <ButtonLink kind="quiet" href={href} rel="next">
        Show more
      </ButtonLink>
    </nav>
  )
}
