import { readStored, writeStored } from '#islands/runtime/browser-storage'

/** The owner and the storage key: a member's and a visitor's drafts are separate in one browser. */
export type DraftPlace = { name: string; owner: string | null }

const slotOf = ({ name, owner }: DraftPlace) => (owner ? `${name}~${owner}` : name)

/** The stored draft, and one that a visitor began meanwhile, which becomes the member's at sign-in. */
export function listDrafts(place: DraftPlace): Record<string, unknown>[] {
  const own = parseDraft(readStored('localStorage', slotOf(place)))
  const begun = place.owner ? readUnclaimed(place) : null
  return [own, begun].filter((each) => each !== null)
}

/**
 * False where the browser stores nothing (full, or closed): then the page must not promise that the draft is safe.
 */
export function storeDraft(place: DraftPlace, draft: object): boolean {
  const { owner } = place
  if (!writeStored('localStorage', slotOf(place), JSON.stringify({ ...draft, by: owner }))) return false
  if (owner && readUnclaimed(place)) writeStored('localStorage', place.name, null)
  return true
}

/** Removes the draft after it was saved to the library, or discarded by a press. */
export function dropDraft(place: DraftPlace): void {
  writeStored('localStorage', slotOf(place), null)
  if (place.owner && readUnclaimed(place)) writeStored('localStorage', place.name, null)
}

/** Calls `handle` when another tab has written this draft, or a restored page may have missed it. */
export function watchDraft(place: DraftPlace, handle: () => void): () => void {
  const onStorage = ({ key, newValue }: StorageEvent) => key === slotOf(place) && newValue && handle()
  const onShow = ({ persisted }: PageTransitionEvent) => persisted && handle()
  addEventListener('storage', onStorage)
  addEventListener('pageshow', onShow)
  return () => {
    removeEventListener('storage', onStorage)
    removeEventListener('pageshow', onShow)
  }
}

/**
 * Merges a field of the stored draft with the browser's value. Where a person has typed, both texts are preserved;
 * otherwise the stored one is used: browsers restore some fields of a form and leave others empty.
 */
export function mergeField(
  field: { stored: string; shown: string; given: string; isTyped: boolean },
  separator: string,
): string {
  const { stored, shown, given, isTyped } = field
  if (shown === given || !isTyped || stored.includes(shown)) return stored
  return stored === given || shown.includes(stored) ? shown : `${stored}${separator}${shown}`
}

/** Whether a person has typed on this page: otherwise its values were restored by the browser. */
export function hasBeenTouched(): boolean {
  return navigator.userActivation?.hasBeenActive ?? true
}

function readUnclaimed({ name, owner }: DraftPlace): Record<string, unknown> | null {
  const draft = parseDraft(readStored('localStorage', name))
  return draft && (draft.by === null || draft.by === owner) ? draft : null
}

function parseDraft(stored: string | null): Record<string, unknown> | null {
  try {
    const draft: unknown = JSON.parse(stored ?? 'null')
    return typeof draft === 'object' && draft !== null ? { ...draft } : null
  } catch {
    return null
  }
}
