import { track } from '#islands/listening/track-event'
import { visit } from '#islands/navigation/visit'
import { api } from '#islands/runtime/api'
import { emit } from '#islands/runtime/events'
import { type DraftPlace, dropDraft, mergeField, readDraft } from '#islands/user-story/stored-draft'
import { narrators } from '#src/narration/rules'
import { countWords, knownCategories } from '#src/story/rules'
import { urls } from '#src/urls'
import type { Writing } from '#src/user-story/create-form'
import { spokenMinutes } from '#src/user-story/rules'
import type { UserContentItem } from '#src/user-story/schema'

export type Draft = Writing & { prompt: string }

/** The writing in progress, as this browser stores it. */
export function readWriting(place: DraftPlace): Draft | null {
  const stored = readDraft(place)
  if (typeof stored?.title !== 'string' || typeof stored.content !== 'string') return null
  return {
    title: stored.title,
    content: stored.content,
    categories: Array.isArray(stored.categories) ? stored.categories.map(String) : [],
    narrator: readNarrator(stored.narrator),
    prompt: String(stored.prompt ?? ''),
  }
}

/** The form's values before the island is hydrated: the server's, or text typed or restored meanwhile. */
export function readShown(form: HTMLFormElement): Writing {
  const fields = new FormData(form)
  return {
    title: String(fields.get('title') ?? ''),
    content: String(fields.get('content') ?? '').replace(/\r\n/g, '\n'),
    categories: fields.getAll('categories').map(String),
    narrator: readNarrator(fields.get('voice')),
  }
}

/** The stored draft merged with the form's values. `given` are the server's values. */
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

/** Writes the values into the fields themselves: React takes over values of fields without reading them. */
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
  /** Of an own item that is edited. */
  itemId?: string
  draftId: string | null
}

/**
 * Sends the text and goes to My Content; typed text stays in the form. It needs no form on the page, since it may run
 * after a sign-in. Throws what the call throws.
 */
export async function saveWriting(request: SaveRequest): Promise<void> {
  const { place, writing, isNarrated, itemId, draftId } = request
  const { title, content, narrator } = writing
  const text = { title, content, voice: narrator, categories: knownCategories(writing.categories) }
  const item = await (itemId
    ? api('PUT /api/user/content/:id', { path: { id: itemId }, body: text })
    : api('POST /api/user/content', { body: { ...text, narrate: isNarrated, ...(draftId && { draftId }) } }))
  dropDraft(place)
  if (!itemId)
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

function savedWords({ title, state }: UserContentItem, { isNarrated, itemId }: SaveRequest) {
  if (state === 'held')
    return { title: 'Saved', description: 'An operator looks at it before it can be narrated or shared.' }
  if (isNarrated) return { title: 'Your audio is being made', description: title }
  return { title: itemId ? 'Changes saved' : 'Story saved', description: title }
}
