import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { type DraftPlace, storeDraft, watchDraft } from '#islands/user-story/stored-draft'

/** The interval of writes. A crash loses at most the text typed within it. */
const storedAfterMs = 600

/**
 * Stores text in this browser when it is typed, and only then: opening, restoring or leaving a page changes no stored
 * draft. `onElsewhere` is called when another page has written the draft. `savedAt` is a time of day, null before the
 * first write.
 */
export function useStoredDraft<Draft extends object>(
  { name, owner }: DraftPlace,
  draft: Draft,
  onElsewhere: () => void,
) {
  const [savedAt, setSavedAt] = useState<string | null>(null)
  const latest = useRef(draft)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    latest.current = draft
  })

  /** Cancels a pending write. */
  const cancel = () => {
    clearTimeout(timer.current)
    timer.current = undefined
  }
  const store = () => {
    cancel()
    if (!storeDraft({ name, owner }, latest.current)) return setSavedAt(null)
    setSavedAt(new Date().toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' }))
  }
  /** Call it when a person types. A running timer is not reset, so that continuous typing is stored too. */
  const touch = () => {
    timer.current ??= setTimeout(store, storedAfterMs)
  }

  const storePending = useEffectEvent(() => {
    if (timer.current !== undefined) store()
  })
  const adopt = useEffectEvent(() => {
    if (timer.current === undefined) onElsewhere()
  })
  useEffect(() => {
    const stopWatching = watchDraft({ name, owner }, adopt)
    const onHidden = () => {
      if (document.visibilityState === 'hidden') storePending()
    }
    document.addEventListener('visibilitychange', onHidden)
    addEventListener('pagehide', storePending)
    return () => {
      stopWatching()
      document.removeEventListener('visibilitychange', onHidden)
      removeEventListener('pagehide', storePending)
      storePending()
    }
  }, [name, owner])

  return { savedAt, touch, store, cancel }
}
