import Favorite from '#islands/favorite/favorite'
import ItemActions from '#islands/listening/item-actions'
import type { Progress } from '#src/listening/schema'
import { pluralize } from '#src/text/pluralize'
import { CoverRow } from '#src/ui/cover-row'
import { Island } from '#src/ui/island'
import { Reader } from '#src/ui/reader'
import { ReaderBar } from '#src/ui/reader-bar'
import { ReaderHead } from '#src/ui/reader-head'
import { ReaderTools } from '#src/ui/reader-tools'
import { ReportLink } from '#src/ui/report-link'
import { Section } from '#src/ui/section'
import { SignUpPrompt } from '#src/ui/sign-up-prompt'
import { StoryText } from '#src/ui/story-text'
import type { Viewer } from '#src/ui/viewer'
import { urls } from '#src/urls'
import { ItemOpinion } from '#src/vote/item-opinion'
import type { Opinion } from '#src/vote/queries'
import { PlainPlayer } from './plain-player'
import type { Reading } from './read'
import { ReadAlongIsland, StoryReaderIsland } from './reading-islands'
import { contentKey } from './rules'
import type { Item } from './schema'
import { trackOf } from './track-rules'

export type ItemPageProps = {
  viewer: Viewer
  reading: Reading
  isFavorite: boolean
  progress: Progress | null
  opinion: Opinion
  freeStoryLimit: number
  shareUrl: string
  related: readonly Item[]
}

/** A story's own page. The reader dialog over a list shows the same. */
export function StoryPage({
  viewer,
  reading,
  isFavorite,
  progress,
  opinion,
  freeStoryLimit,
  shareUrl,
  related,
}: ItemPageProps) {
  const { item, isOpen } = reading
  const isMember = viewer.member !== null
  const key = contentKey(item)
  const track = trackOf(item)
  return (
    <Reader
      bar={
        <ReaderBar
          title={item.title}
          backHref={urls.stories()}
          backLabel="Read Stories"
          favorite={
            <Island
              name="favorite"
              id="reader-heart"
              of={Favorite}
              when="press"
              props={{ contentKey: key, isFavorite, isMember }}
            />
          }
        />
      }
      rail={<StoryReaderIsland item={item} isOpen={isOpen} isMember={isMember} progress={progress} />}
      tools={
        <aside className="reader-tools" aria-label="Reading settings">
          <Island name="reader-settings" props={{}}>
            <ReaderTools theme={viewer.theme} />
          </Island>
          {isOpen && <ReadAlongIsland item={item} progress={progress} />}
        </aside>
      }
    >
      <ReaderHead item={item} />
      <div className="reader-start">
        <div className="needs-script">
          <Island
            name="item-actions"
            of={ItemActions}
            when={isMember ? 'use' : 'press'}
            props={{ track, contentKey: key, isFavorite, isMember, shareUrl, hasHeart: false }}
          />
        </div>
        <PlainPlayer track={track} isMember={isMember} />
        {isOpen && reading.freeStoriesLeft !== null && (
          <p className="meta">{freeStoriesWords(reading.freeStoriesLeft)}</p>
        )}
      </div>
      {isOpen ? (
        <StoryText text={item.content} />
      ) : (
        <SignUpPrompt item={item} freeStoryLimit={freeStoryLimit} />
      )}
      {isOpen && <ItemOpinion item={item} opinion={opinion} isMember={isMember} />}
      <ReportLink item={item} isMember={isMember} />
      {related.length > 0 && (
        <Section id="after" title="For after this one">
          <CoverRow items={related} />
        </Section>
      )}
    </Reader>
  )
}

/** Tells a visitor about the limit of free stories before it is reached. */
function freeStoriesWords(left: number): string {
  if (left === 0) return 'No free stories left. This one stays open to you.'
  return `${pluralize(left, 'free story')} left`
}
