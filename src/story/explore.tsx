import type { ReactNode } from 'react'
import CardControlsIsland from '#islands/listening/card-controls'
import SampleButton from '#islands/listening/sample-button'
import { itemMinutes } from '#src/story/narrator-words'
import { ButtonLink } from '#src/ui/button'
import { ContentCard } from '#src/ui/content-card'
import { EmptyState } from '#src/ui/empty-state'
import { CategoryChips, TypeSegment } from '#src/ui/filters'
import { CardPlace, cardList, listPage } from '#src/ui/fragments'
import { Hero } from '#src/ui/hero'
import { Island } from '#src/ui/island'
import { LengthFilter } from '#src/ui/length-filter'
import type { Manifest } from '#src/ui/manifest'
import { Section } from '#src/ui/section'
import { CardSkeletons } from '#src/ui/skeleton'
import { urls } from '#src/urls'
import { contentKey, type ItemType, type Length, resultWords } from './rules'
import type { Item, ItemList } from './schema'
import { trackOf } from './track-rules'

type ExploreProps = {
  type: ItemType
  category: string | null
  length: Length | undefined
  /** Whether other items are offered because the list is empty. */
  hasOffers: boolean
  categories: readonly string[]
  hasHero: boolean
  freeStoryLimit: number
}

/** The page Explore Audios: items to listen to, by type and category. */
export function Explore({
  list,
  type,
  category,
  length,
  hasOffers,
  categories,
  hasHero,
  freeStoryLimit,
}: ExploreProps & { list: ItemList }) {
  const words = type === 'story' ? 'stories' : 'flows'
  return (
    <>
      {hasHero ? (
        <Hero freeStoryLimit={freeStoryLimit} sample={<Sample list={list} />} />
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
        <p className="meta" data-count="">
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
          <PlayedCards type={type} />
        )}
      </div>
      {hasOffers && (
        <Offers>
          <PlayedCards type={type} />
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

export const drawExplore = listPage<ItemList, ExploreProps>(Explore)

/** A free item to play, for the hero. */
function Sample({ list }: { list: ItemList }) {
  const sample = list.items.find((item) => item.audioUrl !== null)
  if (!sample) return null
  return <Island name="sample-button" of={SampleButton} when="press" props={{ track: trackOf(sample) }} />
}

function PlayedCards({ type }: { type: ItemType }) {
  return (
    <section className="card-grid" aria-label={type === 'story' ? 'Stories' : 'Flows'}>
      <CardPlace />
    </section>
  )
}

type PlayedCardProps = { isFavorite: boolean; isMember: boolean }

function PlayedCard({ item, ...heart }: PlayedCardProps & { item: Item }) {
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

const drawCards = cardList<Item, PlayedCardProps>(PlayedCard)

/** Renders cards whose items are played in place. Cards differ by their heart, and by what a press on it does. */
export function drawPlayedCards(
  { islandCodes }: Manifest,
  items: readonly Item[],
  { favorites, isMember }: { favorites: ReadonlySet<string>; isMember: boolean },
) {
  return drawCards(islandCodes, items, ({ id }) => ({
    props: { isFavorite: favorites.has(id), isMember },
    ownWords: null,
  }))
}

/** Items to offer when a search has found none. */
export function Offers({ children }: { children: ReactNode }) {
  return (
    <Section id="offers" title="New on the shelf">
      {children}
    </Section>
  )
}

/** A link to the next page, so that paging works without a script. */
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
