import { LibraryCard } from '#src/library/library-card'
import type { CardItem } from '#src/library/library-card-fields'
import { voiceOfNarrator } from '#src/narration/rules'
import { type Category, durationMinutesDefault, itemTypes } from '#src/story/rules'

/** The form's values so far that determine how the item's card looks. */
export type PreviewedFields = Pick<CardItem, 'title' | 'type' | 'content' | 'voice' | 'duration'>

export const emptyPreview: PreviewedFields = {
  title: '',
  type: 'story',
  content: '',
  voice: 'female',
  duration: durationMinutesDefault,
}

export function previewedFieldsOf(form: FormData): PreviewedFields {
  const text = (name: string) => String(form.get(name) ?? '').trim()
  return {
    title: text('title'),
    type: itemTypes.find((each) => each === text('type')) ?? emptyPreview.type,
    content: text('content'),
    voice: voiceOfNarrator(text('voice')),
    duration: Number(text('duration')) || emptyPreview.duration,
  }
}

/** Preview of the card that the library will show. */
export function UploadPreview({ fields, categories }: { fields: PreviewedFields; categories: Category[] }) {
  const item: CardItem = {
    ...fields,
    id: '',
    title: fields.title || 'Title',
    categories,
    audioDurationSeconds: null,
    status: 'published',
    publishedAt: null,
    generateAudio: false,
    hasAudio: false,
  }
  return (
    <section className="panel stack upload-look" aria-labelledby="upload-look">
      <h2 id="upload-look">How it will look</h2>
      <LibraryCard item={item} />
      <p className="hint">The cover is drawn from the title.</p>
    </section>
  )
}
