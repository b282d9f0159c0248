import { type RefObject, useState } from 'react'
import { type Answer, api } from '#islands/runtime/api'
import { emit } from '#islands/runtime/events'
import { readShown, readWriting } from '#islands/user-story/create-writing'
import { type DraftPlace, storeDraft } from '#islands/user-story/stored-draft'
import { draftWords } from '#src/model/rules'
import { knownCategories } from '#src/story/rules'
import { draftMinutes, spokenWordsPerMinute, type Writing } from '#src/user-story/rules'
import type { MemberLimits } from '#src/user-story/schema'

type DraftPrompt = { prompt: string; categories: readonly string[] }

type Texts = Pick<Writing, 'title' | 'content'>

/**
 * Requests a draft from the model, which replaces the form's texts. If that text was written by a person, and is not an
 * earlier draft, it can be restored.
 */
export function useDrafting(
  limits: MemberLimits | null,
  { form, place }: { form: RefObject<HTMLFormElement | null>; place: DraftPlace },
  change: (texts: Texts) => void,
) {
  const [minutes, setMinutes] = useState<number>(draftMinutes[0])
  const [last, setLast] = useState<Answer<'POST /api/drafts'> | null>(null)
  const [draftsLeft, setDraftsLeft] = useState(limits?.draftsLeft ?? null)

  async function makeDraft({ prompt, categories }: DraftPrompt, signal?: AbortSignal): Promise<void> {
    const drafted = await api('POST /api/drafts', {
      body: {
        prompt,
        categories: knownCategories(categories),
        words: Math.min(draftWords.max, minutes * spokenWordsPerMinute),
        ...(last && { discards: last.draftId }),
      },
      signal,
    })
    const before = form.current && readShown(form.current)
    setLast(drafted)
    setDraftsLeft((left) => left && left - 1)
    change({ title: drafted.title, content: drafted.content })
    document.getElementById('make-title')?.focus()
    if (!before || !isWritten(before, last)) return
    emit('nocturne:toast', {
      title: 'The draft is in the form',
      description: 'It replaced what you wrote.',
      undo() {
        const texts = { title: before.title, content: before.content }
        const stored = readWriting(place)
        // The form's page may be gone by now.
        if (!form.current && stored) storeDraft(place, { ...stored, ...texts })
        setLast(last)
        if (form.current) change(texts)
      },
    })
  }

  return { draftId: last?.draftId ?? null, makeDraft, panel: { draftsLeft, minutes, onMinutes: setMinutes } }
}

function isWritten({ title, content }: Texts, draft: Texts | null): boolean {
  if (title.trim() === '' && content.trim() === '') return false
  return title !== draft?.title || content !== draft.content
}
