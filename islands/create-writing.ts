import { apiCall, problemOf } from '#islands/api-call'
import { keepStored, readStored } from '#islands/browser-storage'
import { emit } from '#islands/events'
import { track } from '#islands/track-event'
import { visit } from '#islands/visit'
import type { Problem, Writing } from '#src/creation/create-form'
import { spokenMinutes } from '#src/creation/rules'
import type { UserContentItem } from '#src/creation/schema'
import { narrators } from '#src/narration/rules'
import { countWords } from '#src/story/rules'
import { urls } from '#src/urls'

export type Kept = Writing & { prompt: string }

/** What is being written, as this browser keeps it: by whom, so that nobody finds another member's words. */
export function readWriting(name: string, memberId: string | null): Kept | null {
  try {
    const kept = JSON.parse(readStored('localStorage', name) ?? 'null')
    if (typeof kept?.title !== 'string' || typeof kept.content !== 'string') return null
    // A visitor's words go with them when they sign in.
    if (kept.by !== null && kept.by !== memberId) return null
    return {
      title: kept.title,
      content: kept.content,
      categories: Array.isArray(kept.categories) ? kept.categories.map(String) : [],
      narrator: narrators.find((each) => each === kept.narrator) ?? 'rachel',
      prompt: String(kept.prompt ?? ''),
    }
  } catch {
    return null
  }
}

export function keepWriting(name: string, memberId: string | null, writing: Kept | null): void {
  keepStored('localStorage', name, writing && JSON.stringify({ ...writing, by: memberId }))
}

export type SaveWish = {
  name: string
  writing: Writing
  isNarrated: boolean
  /** Of an own item that is edited. */
  itemId?: string
  draftId: string | null
}

/**
 * Sends what was written and goes to My Content. Null when it went well, else what is wrong; what was typed stays
 * where it is. Needs nothing of the form: it may be the wish of somebody who has to sign in first.
 */
export async function saveWriting(wish: SaveWish): Promise<Problem | null> {
  const { name, writing, isNarrated, itemId, draftId } = wish
  const { narrator, ...text } = writing
  try {
    const item = (await (itemId
      ? apiCall(urls.apiOwnItem(itemId), { method: 'PUT', body: { ...text, voice: narrator } })
      : apiCall(urls.apiUserContent(), {
          method: 'POST',
          body: { ...text, voice: narrator, narrate: isNarrated, ...(draftId && { draftId }) },
        }))) as UserContentItem
    keepStored('localStorage', name, null)
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
    emit('nocturne:toast', { kind: 'good', ...savedWords(item, wish) })
    await visit(urls.myContent())
    return null
  } catch (error) {
    return problemOf(error)
  }
}

function savedWords({ title, state }: UserContentItem, { isNarrated, itemId }: SaveWish) {
  if (state === 'held')
    return { title: 'Saved', description: 'An operator looks at it before it can be narrated or shared.' }
  if (isNarrated) return { title: 'Your audio is being made', description: title }
  return { title: itemId ? 'Changes saved' : 'Story saved', description: title }
}
