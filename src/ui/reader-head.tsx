import { narratorLine, readMinutes } from '#src/story/narrator-words'
import type { CardItem } from '#src/ui/content-card'
import { ContentNotes } from '#src/ui/content-notes'
import { Cover } from '#src/ui/cover'
import { MetaRow } from '#src/ui/meta-row'
import { ReadingBadge } from '#src/ui/reading-badge'
import { Tags } from '#src/ui/tags'

/** Head of a story: cover, categories, title, narrator, reading time, description. */
export function ReaderHead({ item }: { item: CardItem & { contentNotes: readonly string[] } }) {
  const narrator = narratorLine(item)
  return (
    <header className="reader-head">
      <Cover title={item.title} shape="book" />
      <div className="reader-head-words">
        <div className="reader-head-title">
          <Tags categories={item.categories} className="reader-tags" />
          <h1 className="title-xl">{item.title}</h1>
          <MetaRow>
            {narrator}
            <ReadingBadge minutes={readMinutes(item)} />
          </MetaRow>
        </div>
        {item.description && <p className="prose">{item.description}</p>}
        <ContentNotes notes={item.contentNotes} />
      </div>
    </header>
  )
}
