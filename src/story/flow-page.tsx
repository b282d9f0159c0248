import ItemActions from '#islands/listening/item-actions'
import { itemMinutes, narratorLine } from '#src/story/narrator-words'
import { ContentNotes } from '#src/ui/content-notes'
import { Cover } from '#src/ui/cover'
import { CoverRow } from '#src/ui/cover-row'
import { Island } from '#src/ui/island'
import { MetaRow } from '#src/ui/meta-row'
import { ReportLink } from '#src/ui/report-link'
import { Section } from '#src/ui/section'
import { SignUpPrompt } from '#src/ui/sign-up-prompt'
import { listParagraphs } from '#src/ui/story-text'
import { listShownCategories } from '#src/ui/tags'
import { ItemOpinion } from '#src/vote/item-opinion'
import { PlainPlayer } from './plain-player'
import { ReadAlongIsland, StoryReaderIsland } from './reading-islands'
import { contentKey } from './rules'
import type { ItemPageProps } from './story-page'
import { trackOf } from './track-rules'

/** A flow's own page: the controls, and its text as a transcript (WCAG 1.2.1). */
export function FlowPage({
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
  const minutes = itemMinutes(item)
  const isMember = viewer.member !== null
  const track = trackOf(item)
  return (
    <article>
      <header className="flow-head">
        <Cover title={item.title} />
        <div className="flow-words">
          <div className="flow-title">
            <MetaRow>
              Flow
              {minutes !== null && `${minutes} min`}
              {listShownCategories(item.categories)}
            </MetaRow>
            <h1 className="title-xl">{item.title}</h1>
            {narratorLine(item) && <p className="meta">{narratorLine(item)}</p>}
          </div>
          {item.description && <p className="prose">{item.description}</p>}
          <div className="needs-script">
            <Island
              name="item-actions"
              of={ItemActions}
              when={isMember ? 'use' : 'press'}
              props={{
                track,
                contentKey: contentKey(item),
                isFavorite,
                isMember,
                shareUrl,
                hasHeart: true,
              }}
            />
          </div>
          <PlainPlayer track={track} isMember={isMember} />
        </div>
      </header>
      <div className="flow-grid">
        <ContentNotes notes={item.contentNotes} look="block" />
        <section aria-labelledby="words">
          <div className="section-head">
            <h2 className="title-md" id="words">
              Transcript
            </h2>
            {isOpen && <ReadAlongIsland item={item} progress={progress} />}
          </div>
          {isOpen ? (
            <Transcript text={item.content} />
          ) : (
            <SignUpPrompt item={item} freeStoryLimit={freeStoryLimit} />
          )}
          <StoryReaderIsland item={item} isOpen={isOpen} isMember={isMember} progress={progress} />
          <ReportLink item={item} isMember={isMember} />
        </section>
        <aside className="flow-side" aria-label="About this flow">
          <ItemOpinion item={item} opinion={opinion} isMember={isMember} />
        </aside>
      </div>
      {related.length > 0 && (
        <Section id="after" title="For after this one">
          <CoverRow items={related} />
        </Section>
      )}
    </article>
  )
}

function Transcript({ text }: { text: string }) {
  return (
    <div className="story-text transcript-text">
      {listParagraphs(text).map(({ text: paragraph, at }) => (
        <p key={at} data-at={at}>
          {paragraph}
        </p>
      ))}
    </div>
  )
}
