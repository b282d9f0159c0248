import { useEffect, useState } from 'react'
import { api } from '#islands/runtime/api'
import { knownCategories } from '#src/story/rules'
import type { Writing } from '#src/user-story/rules'
import type { Hint } from '#src/user-story/schema'

/** The pause in typing after which the text is checked. */
const restMs = 900

/** Returns the guidelines' findings in a text, shortly after the last letter; an empty list while it is not checked. */
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
        const body = { title, content, categories: knownCategories(chosen.split(',')) }
        const { hints } = await api('POST /api/user/content/check', { body })
        if (!isOver) setHints(hints)
      } catch {
        // Hints are optional while writing. Saving reports the findings that matter.
      }
    }, restMs)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [isAsked, title, content, chosen])
  return hints
}
