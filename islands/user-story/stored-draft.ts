import { readStored, writeStored } from '#islands/runtime/browser-storage'

/** The owner and the storage key of a draft. A member's and a visitor's drafts are separate in one browser. */
export type DraftPlace = { name: string; owner: string | null }

const slotOf = ({ name, owner }: DraftPlace) => (owner ? `${name}~${owner}` : name)

/** Returns the stored draft, and one that was begun as a visitor, which becomes the member's at sign-in. */
export function listDrafts(place: DraftPlace): Record<string, unknown>[] {
  const own = parseDraft(readStored('localStorage', slotOf(place)))
  const begun = place.owner ? readUnclaimed(place) : null
  return [own, begun].filter((each) => each !== null)
}

/**
 * Stores a draft. Returns false if the browser's storage is full or unavailable: the page must not promise then that
 * the draft is safe.
 */
export function storeDraft(place: DraftPlace, draft: object): boolean {
  const { owner } = place
  if (!writeStored('localStorage', slotOf(place), JSON.stringify({ ...draft, by: owner }))) return false
  if (owner && readUnclaimed(place)) writeStored('localStorage', place.name, null)
  return true
}

/** Removes a draft that was saved to the library, or discarded by the person. */
export function dropDraft(place: DraftPlace): void {
  writeStored('localStorage', slotOf(place), null)
  if (place.owner && readUnclaimed(place)) writeStored('localStorage', place.name, null)
}

/** Calls `handle` when another tab has written this draft, or when a restored page may have missed that. */
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
 * Merges a field of the stored draft with the field's value. If a person has typed into it, both texts are preserved.
 * Otherwise the stored one is used, because browsers restore some fields of a form and leave others empty.
 */
export function mergeField(
  field: { stored: string; shown: string; given: string; isTyped: boolean },
  separator: string,
): string {
  const { stored, shown, given, isTyped } = field
  if (shown === given || !isTyped || stored.includes(shown)) return stored
  return stored === given || shown.includes(stored) ? shown : `${stored}${separator}${shown}`
}

/** Whether a person has typed on this page. Otherwise the values were restored by the browser. */
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
