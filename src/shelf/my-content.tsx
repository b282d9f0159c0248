import Favorite from '#islands/favorite'
import { contentKey } from '#src/story/rules'
import type { Item } from '#src/story/schema'
import { ButtonLink } from '#src/ui/button'
import { EmptyState } from '#src/ui/empty-state'
import { Island } from '#src/ui/island'
import { StoryCard } from '#src/ui/story-card'
import { urls } from '#src/urls'

/** My Content: what a member saved, the newest first. */
export function MyContent({ items, isMember }: { items: readonly Item[]; isMember: boolean }) {
  return (
    <>
      <header className="page-head">
        <h1 className="title-lg">My Content</h1>
      </header>
      {items.length === 0 ? (
        <EmptyState
          title="No saved content yet"
          words={
            isMember
              ? 'Press the heart of a story or a flow, and it is here.'
              : 'Sign in, press the heart of a story or a flow, and it is here.'
          }
        >
          <ButtonLink kind="primary" href={urls.explore()}>
            Explore Audios
          </ButtonLink>
        </EmptyState>
      ) : (
        <section className="story-list" aria-label="Saved">
          {items.map((item) => (
            <StoryCard
              key={item.id}
              item={item}
              favorite={
                <Island
                  name="favorite"
                  id={`heart-${item.id}`}
                  when="visible"
                  of={Favorite}
                  props={{ contentKey: contentKey(item), isFavorite: true, isMember }}
                />
              }
            />
          ))}
        </section>
      )}
    </>
  )
}
