import type { ReactNode } from 'react'
import CardControlsIsland from '#islands/listening/card-controls'
import SampleButton from '#islands/listening/sample-button'
import { itemMinutes } from '#src/story/narrator-words'
import { ButtonLink } from '#src/ui/button'
import { ContentCard } from '#src/ui/content-card'
import { EmptyState } from '#src/ui/empty-state'
import { CategoryChips, TypeSegment } from '#src/ui/filters'
import { CardList } from '#src/ui/fragments'
import { Hero } from '#src/ui/hero'
import { Island } from '#src/ui/island'
import { LengthFilter } from '#src/ui/length-filter'
import { Section } from '#src/ui/section'
import { CardSkeletons } from '#src/ui/skeleton'
import type { Viewer } from '#src/ui/viewer'
import { urls } from '#src/urls'
import { contentKey, type ItemType, type Length, resultWords } from './rules'
import type { Item, ItemList } from './schema'
import { trackOf } from './track-rules'

/** The page Explore Audios: items to hear, by type and category. */
export function Explore({
  viewer,
  list,
  type,
  category,
  length,
  offers,
  categories,
  favorites,
  hasHero,
  freeStoryLimit,
  sample,
}: {
  viewer: Viewer
  list: ItemList
  type: ItemType
  category: string | null
  length: Length | undefined
  /** Items that are offered where the list is empty. */
  offers: ItemList
  categories: readonly string[]
  favorites: ReadonlySet<string>
  hasHero: boolean
  freeStoryLimit: number
  /** A free item to hear, for the hero. */
  sample?: Item
}) {
  const words = type === 'story' ? 'stories' : 'flows'
  const isMember = viewer.member !== null
  return (
    <>
      {hasHero ? (
        <Hero
          freeStoryLimit={freeStoryLimit}
          sample={
            sample && (
              <Island
                name="sample-button"
                of={SampleButton}
                when="press"
                props={{ track: trackOf(sample) }}
              />
            )
          }
        />
      ) : (
        <h1 className="visually-hidden">Explore Audios</h1>
      )}
      <div className="filters">
        <TypeSegment type={type} hrefOf={(each) => urls.explore({ type: each, length })} />
        <CategoryChips
          categories={categories}
          current={category}
          hrefOf={(each) => urls.explore({ type, category: each ?? undefined, length })}
        />
      </div>
      <div className="result-line">
        <p className="meta" role="status">
          {resultWords(list)}
        </p>
        <LengthFilter
          action={urls.explore()}
          length={length}
          hidden={{ type: type === 'story' ? undefined : type, category: category ?? undefined }}
        />
        <a className="link" href={urls.trending()}>
          Trending Now
        </a>
      </div>
      <div data-list="">
        {list.items.length === 0 ? (
          <EmptyState title={`No ${words} found`}>
            {(category || length) && (
              <ButtonLink kind="quiet" href={urls.explore({ type })}>
                View All
              </ButtonLink>
            )}
          </EmptyState>
        ) : (
          <PlayedCards list={list} type={type} favorites={favorites} isMember={isMember} />
        )}
      </div>
      {offers.items.length > 0 && (
        <Offers>
          <PlayedCards list={offers} type={type} favorites={favorites} isMember={isMember} />
        </Offers>
      )}
      <template data-skeleton="">
        <CardSkeletons />
      </template>
      <MoreLink
        href={
          list.nextCursor &&
          urls.explore({ type, category: category ?? undefined, length, cursor: list.nextCursor })
        }
      />
    </>
  )
}

/** Cards whose items are played where they stand. A card differs by its heart, and by what a press on it does. */
function PlayedCards({
  list,
  type,
  favorites,
  isMember,
}: {
  list: ItemList
  type: ItemType
  favorites: ReadonlySet<string>
  isMember: boolean
}) {
  return (
    <CardList
      className="card-grid"
      label={type === 'story' ? 'Stories' : 'Flows'}
      items={list.items}
      cardOf={(item) => {
        const heart = { isFavorite: favorites.has(item.id), isMember }
        return {
          variant: `card ${heart.isFavorite} ${isMember}`,
          draw: () => <PlayedCard item={item} {...heart} />,
        }
      }}
    />
  )
}

function PlayedCard({ item, ...heart }: { item: Item; isFavorite: boolean; isMember: boolean }) {
  return (
    <ContentCard
      item={item}
      viewedId={item.id}
      controls={
        <Island
          name="card-controls"
          id={`card-${item.id}`}
          when="press"
          of={CardControlsIsland}
          props={{
            track: trackOf(item),
            contentKey: contentKey(item),
            minutes: itemMinutes(item),
            ...heart,
          }}
        />
      }
    />
  )
}

/** Items to offer where a search has found none. */
export function Offers({ children }: { children: ReactNode }) {
  return (
    <Section id="offers" title="New on the shelf">
      {children}
    </Section>
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
