import Favorite from '#islands/favorite/favorite'
import MyContentItem from '#islands/my-content/my-content-item'
import { memoize } from '#src/process/memoize'
import type { Services } from '#src/services'
import { contentKey, preview, previewCharactersMax } from '#src/story/rules'
import { Cover } from '#src/ui/cover'
import { cardTitleId } from '#src/ui/favorite-button'
import { OwnPlace, rowCards } from '#src/ui/fragments'
import { Island } from '#src/ui/island'
import { localTimeMarkup } from '#src/ui/local-time'
import { type Piece, toPiece } from '#src/ui/markup'
import { MetaRow } from '#src/ui/meta-row'
import { Tags } from '#src/ui/tags'
import { urls } from '#src/urls'
import type { UserContentItem } from '#src/user-story/schema'
import { describe } from './entries'
import type { UserContentCard } from './page-queries'
import { userContentTrack } from './track-rules'

/** An item without the fields that differ for each member who saved it. */
type Shown = Omit<UserContentItem, 'createdAt'>

function Card({ row: item }: { row: Shown }) {
  const { id, title, content, type, duration, challengeName, challengeDay } = item
  const isGone = item.state === 'refused'
  const titleId = cardTitleId(`${id}${challengeDay ?? ''}`)
  return (
    <article className="item">
      <Cover title={title} />
      <div className="item-words">
        <div className="item-first">
          <div className="item-head">
            <h2 className="title-sm" id={titleId}>
              {isGone ? title : <a href={urls.item(item)}>{title}</a>}
            </h2>
            {!item.isOwn && (
              <Island
                name="favorite"
                id={`heart-${id}${challengeDay ?? ''}`}
                when="press"
                of={Favorite}
                props={{
                  contentKey: contentKey(item),
                  titleId,
                  isFavorite: !item.isChallengeFlow,
                  isMember: true,
                }}
              />
            )}
          </div>
          <MetaRow>
            {type === 'story' ? 'Story' : 'Flow'}
            {`${duration} min`}
            {challengeName && `${challengeName}, day ${challengeDay}`}
            {item.isOwn && 'Made by you'}
            <OwnPlace key="at" />
          </MetaRow>
        </div>
        <p className="prose item-preview">{preview(content, previewCharactersMax)}</p>
        <Tags categories={item.categories} className="item-preview" />
        {(item.isOwn || item.audioUrl) && (
          <Island
            name="my-content-item"
            id={`item-${id}${challengeDay ?? ''}`}
            of={MyContentItem}
            when="use"
            props={{
              track: item.audioUrl ? userContentTrack(item) : null,
              durationSeconds: item.audioDurationSeconds,
              own: item.isOwn
                ? {
                    id,
                    type,
                    slug: item.slug,
                    title,
                    state: item.state ?? 'private',
                    narration: item.narration,
                    reviewNote: item.reviewNote,
                  }
                : null,
            }}
          />
        )}
      </div>
    </article>
  )
}

const drawCards = rowCards<Shown>(Card)

/** Formatted times are memoized: formatting each took a tenth of the page's processing time (measured). */
const timePiece = memoize<Piece>(10_000)

/** Renders the cards of My Content. The card of a saved item is the same for all who saved it, except for the time. */
export function drawMyContentCards(
  { db, assets }: Pick<Services, 'db' | 'assets'>,
  items: readonly UserContentCard[],
): Promise<readonly Piece[]> {
  const cards = items.map(({ at, isOwn, ...item }) => ({
    ...item,
    own: timePiece(at, () => toPiece(localTimeMarkup(at))),
    isPrivate: isOwn,
  }))
  const read = (ids: readonly string[]) => {
    const shown = items.filter(({ id }) => ids.includes(id))
    return describe(
      db,
      shown.map(({ id, ...entry }) => ({ ...entry, storyId: id, challengeName: null, challengeDay: null })),
      'beginning',
    )
  }
  return drawCards(assets.manifest.islandCodes, {}, cards, read)
}
