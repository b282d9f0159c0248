import { PenLine } from 'lucide-react'
import Favorite from '#islands/favorite'
import ShelfItem from '#islands/shelf-item'
import type { UserContentItem } from '#src/creation/schema'
import { contentKey, preview, previewCharactersMax } from '#src/story/rules'
import { ButtonLink } from '#src/ui/button'
import { Cover } from '#src/ui/cover'
import { EmptyState } from '#src/ui/empty-state'
import { Icon } from '#src/ui/icon'
import { Island } from '#src/ui/island'
import { LocalTime } from '#src/ui/local-time'
import { MetaRow } from '#src/ui/meta-row'
import { Tags } from '#src/ui/tags'
import { urls } from '#src/urls'
import { shelfTrack } from './shelf-track'

/** My Content: what a member made and saved, the newest first. */
export function MyContent({ items, isMember }: { items: readonly UserContentItem[]; isMember: boolean }) {
  return (
    <>
      <header className="page-head">
        <h1 className="title-lg">My Content</h1>
        {isMember && (
          <ButtonLink href={urls.createStories()}>
            <Icon of={PenLine} size="sm" />
            Create Stories
          </ButtonLink>
        )}
      </header>
      {items.length === 0 ? (
        <EmptyState
          title="No saved content yet"
          words={
            isMember
              ? 'Press the heart of a story or a flow, or write your own, and it is here.'
              : 'Sign in, press the heart of a story or a flow, and it is here.'
          }
        >
          <ButtonLink kind="primary" href={urls.explore()}>
            Explore Audios
          </ButtonLink>
        </EmptyState>
      ) : (
        <section className="item-list" aria-label="Saved">
          {items.map((item) => (
            <Card key={`${item.id}${item.challengeDay ?? ''}`} item={item} isMember={isMember} />
          ))}
        </section>
      )}
    </>
  )
}

function Card({ item, isMember }: { item: UserContentItem; isMember: boolean }) {
  const { id, title, content, type, duration, createdAt, challengeName, challengeDay } = item
  const isGone = item.state === 'refused'
  return (
    <article className="item">
      <Cover title={title} />
      <div className="item-words">
        <div className="item-first">
          <div className="item-head">
            <h2 className="title-sm">{isGone ? title : <a href={urls.item(item)}>{title}</a>}</h2>
            {!item.isOwn && (
              <Island
                name="favorite"
                id={`heart-${id}${challengeDay ?? ''}`}
                when="visible"
                of={Favorite}
                props={{ contentKey: contentKey(item), isFavorite: !item.isChallengeFlow, isMember }}
              />
            )}
          </div>
          <MetaRow>
            {type === 'story' ? 'Story' : 'Flow'}
            {`${duration} min`}
            {challengeName && `${challengeName}, day ${challengeDay}`}
            {item.isOwn && 'Made by you'}
            <LocalTime key="at" at={createdAt} />
          </MetaRow>
        </div>
        <p className="prose item-preview">{preview(content, previewCharactersMax)}</p>
        <Tags categories={item.categories} className="item-preview" />
        {(item.isOwn || item.audioUrl) && (
          <Island
            name="shelf-item"
            id={`item-${id}${challengeDay ?? ''}`}
            of={ShelfItem}
            props={{
              track: item.audioUrl ? shelfTrack(item) : null,
              durationSeconds: item.audioDurationSeconds,
              own: item.isOwn
                ? {
                    id,
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
