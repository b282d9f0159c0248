import { track } from '#islands/listening/track-event'
import { visit } from '#islands/navigation/visit'
import { api, apiOnce } from '#islands/runtime/api'
import { UserFacingError } from '#islands/runtime/api-error'
import { emit } from '#islands/runtime/events'
import { type DraftPlace, dropDraft, listDrafts, mergeField } from '#islands/user-story/stored-draft'
import { narrators } from '#src/narration/rules'
import { countWords, knownCategories } from '#src/story/rules'
import { urls } from '#src/urls'
import { spokenMinutes, type Writing, writingOf } from '#src/user-story/rules'
import type { UserContentItem, UserStoryEdit } from '#src/user-story/schema'

/** `begun`: the item as it was when editing began; null for a new one. */
export type Draft = Writing & { prompt: string; begun: Writing | null }

/**
 * Returns the stored text in progress: the member's own, merged with a text that was written before signing in again.
 */
export function readWriting(place: DraftPlace): Draft | null {
  const [own = null, begun] = listDrafts(place).flatMap((stored) => {
    const writing = readStoredWriting(stored)
    if (!writing) return []
    return { ...writing, prompt: String(stored.prompt ?? ''), begun: readStoredWriting(stored.begun) }
  })
  return own && begun ? { ...own, ...mergeWriting(own, begun, { given: nothing, isTyped: true }) } : own
}

const nothing: Writing = { title: '', content: '', categories: [], narrator: 'rachel' }

function readStoredWriting(stored: unknown): Writing | null {
  if (typeof stored !== 'object' || stored === null) return null
  const { title, content, categories, narrator }: Record<string, unknown> = { ...stored }
  if (typeof title !== 'string' || typeof content !== 'string') return null
  return {
    title,
    content,
    categories: Array.isArray(categories) ? categories.map(String) : [],
    narrator: readNarrator(narrator),
  }
}

/** Returns the form's values before hydration: the server's, or text typed or restored meanwhile. */
export function readShown(form: HTMLFormElement): Writing {
  const fields = new FormData(form)
  return {
    title: String(fields.get('title') ?? ''),
    content: String(fields.get('content') ?? '').replace(/\r\n/g, '\n'),
    categories: fields.getAll('categories').map(String),
    narrator: readNarrator(fields.get('voice')),
  }
}

/** Merges the stored draft with the form's values. `given` are the server's values. */
export function mergeWriting(
  stored: Writing,
  shown: Writing,
  { given, isTyped }: { given: Writing; isTyped: boolean },
): Writing {
  const join = (field: 'title' | 'content', separator: string) =>
    mergeField({ stored: stored[field], shown: shown[field], given: given[field], isTyped }, separator)
  const isChosen = isTyped && !isSameSet(shown.categories, given.categories)
  return {
    title: join('title', ' '),
    content: join('content', '\n\n'),
    categories: isChosen ? [...new Set([...stored.categories, ...shown.categories])] : stored.categories,
    narrator: isTyped && shown.narrator !== given.narrator ? shown.narrator : stored.narrator,
  }
}

/** Whether two sets of values are equal; the order of categories does not matter. */
export function isSameWriting(one: Writing, other: Writing): boolean {
  const isSame = (['title', 'content', 'narrator'] as const).every((field) => one[field] === other[field])
  return isSame && isSameSet(one.categories, other.categories)
}

const isSameSet = (one: readonly string[], other: readonly string[]) =>
  [...one].sort().join() === [...other].sort().join()

/** Writes the values into the fields themselves, because hydration leaves the values of fields alone. */
export function showWriting(form: HTMLFormElement, { title, content, categories, narrator }: Writing): void {
  for (const field of form.elements) {
    if (field instanceof HTMLTextAreaElement && field.name === 'content') field.value = content
    if (!(field instanceof HTMLInputElement)) continue
    if (field.name === 'title') field.value = title
    if (field.name === 'categories') field.checked = categories.includes(field.value)
    if (field.name === 'voice' && field.type === 'radio') field.checked = field.value === narrator
  }
}

function readNarrator(value: unknown): Writing['narrator'] {
  return narrators.find((each) => each === value) ?? 'rachel'
}

export type SaveRequest = {
  place: DraftPlace
  writing: Writing
  isNarrated: boolean
  /** The item that is edited, as it was when editing began, or null if that is not known. */
  edited: { id: string; begun: Writing | null } | null
  draftId: string | null
}

/** Another page has changed the item since editing began. Saving again replaces that change. */
export class ChangedElsewhere extends UserFacingError {
  constructor(readonly now: Writing) {
    super(
      'This was changed elsewhere since you began. Your text is safe here: copy what you need from My Content, or save again to replace that version.',
    )
  }
}

/**
 * Saves the text and goes to My Content. On failure the text stays in the form. It needs no form on the page, because
 * it may run after a sign-in. Throws what the request throws.
 */
export async function saveWriting(request: SaveRequest): Promise<void> {
  const { place, writing, isNarrated, edited, draftId } = request
  const { title, content, narrator } = writing
  const text = { title, content, voice: narrator, categories: knownCategories(writing.categories) }
  const item = await (edited
    ? saveEdit(edited, writing, text)
    : apiOnce('POST /api/user/content', {
        body: { ...text, narrate: isNarrated, ...(draftId && { draftId }) },
      }))
  // Dropped only if it has not been changed since, in another tab.
  if (isSameWriting(readWriting(place) ?? writing, writing)) dropDraft(place)
  if (!edited)
    track('story_generated', {
      contentId: item.id,
      contentType: 'generation',
      data: {
        categories: text.categories.join(', '),
        duration: spokenMinutes(countWords(text.content)),
        voice: narrator,
      },
    })
  emit('nocturne:toast', { kind: 'good', ...savedWords(item, request) })
  await visit(urls.myContent())
}

async function saveEdit(
  { id, begun }: NonNullable<SaveRequest['edited']>,
  writing: Writing,
  text: UserStoryEdit,
): Promise<UserContentItem> {
  const path = { id }
  const item = await api('GET /api/user/content/:id', { path })
  const now = writingOf(item)
  // If the item already has the new text, an earlier save has succeeded and its response was lost.
  if (begun && !isSameWriting(now, begun) && !isSameWriting(now, writing)) throw new ChangedElsewhere(now)
  return api('PUT /api/user/content/:id', { path, body: text, ifMatch: item.updatedAt })
}

function savedWords({ title, state }: UserContentItem, { isNarrated, edited }: SaveRequest) {
  if (state === 'held')
    return { title: 'Saved', description: 'An operator reviews it before it can be narrated or shared.' }
  if (isNarrated) return { title: 'Your audio is being made', description: title }
  return { title: edited ? 'Changes saved' : 'Story saved', description: title }
}
