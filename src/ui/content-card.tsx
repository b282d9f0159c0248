import type { ReactNode } from 'react'
import { itemMinutes, type NarratedItem, narratorLine } from '#src/story/narrator-words'
import type { Item } from '#src/story/schema'
import { ContentNotes } from '#src/ui/content-notes'
import { Cover } from '#src/ui/cover'
import { Excerpt } from '#src/ui/excerpt'
import { cardTitleId } from '#src/ui/favorite-button'
import { Tags } from '#src/ui/tags'
import { urls } from '#src/urls'

export type CardItem = NarratedItem &
  Pick<
    Item,
    | 'slug'
    | 'title'
    | 'excerpt'
    | 'description'
    | 'categories'
    | 'duration'
    | 'audioDurationSeconds'
    | 'readingMinutes'
  > &
  Partial<Pick<Item, 'contentNotes'>>

/**
 * An item on Explore. `controls` are shown on the cover: CardControls as an island. Without them only the length is
 * shown. The card is highlighted while the player has its item.
 */
export function ContentCard({
  item,
  controls,
  isReader = item.type === 'story',
  heading: Heading = 'h2',
  viewedId,
}: {
  item: CardItem
  controls?: ReactNode
  /** Whether the title opens the reader dialog over the list. */
  isReader?: boolean
  /** `h3` in a section with a heading of its own. */
  heading?: 'h2' | 'h3'
  /** The item's id, if views of the card are recorded. */
  viewedId?: string
}) {
  const minutes = itemMinutes(item)
  const narrator = narratorLine(item)
  return (
    <article className="card" data-viewed={viewedId} data-type={viewedId && item.type}>
      <div className="card-cover">
        <Cover title={item.title} shape="wide" />
        {controls ?? (minutes !== null && <span className="card-time num">{minutes} min</span>)}
      </div>
      <div className="card-body">
        <Heading className="title-sm">
          <a
            id={viewedId && cardTitleId(viewedId)}
            href={urls.item(item)}
            data-reader={isReader ? '' : undefined}
          >
            {item.title}
          </a>
        </Heading>
        {narrator && <p className="meta">{narrator}</p>}
        <Excerpt text={item.excerpt || item.description} />
        <div className="card-foot">
          <Tags categories={item.categories} />
        </div>
        <ContentNotes notes={item.contentNotes ?? []} />
      </div>
    </article>
  )
}
