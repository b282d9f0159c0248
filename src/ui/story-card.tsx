import type { ReactNode } from 'react'
import { readMinutes } from '#src/story/narrator-words'
import { excerptCharactersMax, preview } from '#src/story/rules'
import { ButtonLink } from '#src/ui/button'
import type { CardItem } from '#src/ui/content-card'
import { ContentNotes } from '#src/ui/content-notes'
import { Cover } from '#src/ui/cover'
import { cardTitleId } from '#src/ui/favorite-button'
import { Icon } from '#src/ui/icon'
import { MetaRow } from '#src/ui/meta-row'
import { listShownCategories } from '#src/ui/tags'
import { urls } from '#src/urls'

/** A story on Read Stories: the text comes first, and the cover is a book on the left. */
export function StoryCard({
  item,
  favorite,
  percentRead,
  heading: Heading = 'h2',
  viewedId,
}: {
  item: CardItem
  /** The heart, as an island or static. */
  favorite?: ReactNode
  /** How much of the story was read. Omitted if it was not begun. */
  percentRead?: ReactNode
  /** `h3` in a section with a heading of its own. */
  heading?: 'h2' | 'h3'
  /** The item's id, if views of the card are recorded. */
  viewedId?: string
}) {
  const minutes = readMinutes(item)
  const words = item.excerpt || item.description
  return (
    <article className="story-card" data-viewed={viewedId} data-type={viewedId && item.type}>
      <Cover title={item.title} shape="book" />
      <div className="story-card-words">
        <div className="item-head">
          <Heading className="title-md">
            <a id={viewedId && cardTitleId(viewedId)} href={urls.item(item)} data-reader="">
              {item.title}
            </a>
          </Heading>
          {favorite}
        </div>
        <MetaRow>
          {`${minutes} min read`}
          {listShownCategories(item.categories)}
        </MetaRow>
        {words && <p className="prose">{preview(words, excerptCharactersMax)}</p>}
        <ContentNotes notes={item.contentNotes ?? []} />
        <div className="btn-row">
          <ButtonLink
            kind={percentRead ? 'primary' : 'quiet'}
            href={urls.item(item)}
            aria-label={`Read Now: ${item.title}`}
            data-reader=""
          >
            <Icon name="i-lucide-sm-book-open" />
            Read Now
          </ButtonLink>
          {percentRead && <span className="meta">Left off at {percentRead} %</span>}
        </div>
      </div>
    </article>
  )
}
