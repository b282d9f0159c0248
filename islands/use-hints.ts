import { useEffect, useState } from 'react'
import { apiCall } from '#islands/api-call'
import type { Writing } from '#src/creation/create-form'
import type { Hint } from '#src/creation/schema'
import { urls } from '#src/urls'

/** Somebody who writes rests this long between two thoughts. */
const restMs = 900

/** What the guidelines say of a text, a moment after the last letter; nothing while nobody is asked. */
export function useHints(writing: Writing | null): readonly Hint[] {
  const [hints, setHints] = useState<readonly Hint[]>([])
  const { title = '', content = '', categories } = writing ?? {}
  const chosen = categories?.join(',') ?? ''
  const isAsked = writing !== null && content.trim() !== ''
  useEffect(() => {
    if (!isAsked) return setHints([])
    let isOver = false
    const timer = setTimeout(async () => {
      try {
        const body = { title, content, categories: chosen === '' ? [] : chosen.split(',') }
        const answer = (await apiCall(urls.apiOwnCheck(), { method: 'POST', body })) as { hints: Hint[] }
        if (!isOver) setHints(answer.hints)
      } catch {
        // Hints are a help while writing: saving says what matters.
      }
    }, restMs)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [isAsked, title, content, chosen])
  return hints
}
