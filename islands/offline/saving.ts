import { atom, getDefaultStore, useAtomValue } from 'jotai'
import { isAskedToSignIn } from '#islands/member/after-sign-in'
import { saveItem } from '#islands/offline/save'
import { deleteOfflineItem, listOfflineItems, type OfflineItem } from '#islands/offline/store'
import { problemOf } from '#islands/runtime/api-error'
import { emit } from '#islands/runtime/events'
import { pageOwner } from '#islands/runtime/page-owner'
import { useHydrated } from '#islands/runtime/use-hydrated'

/** The items saved and those being saved, by id: one source for every button and list of the page. */
type OfflineState = {
  owner: string
  items: readonly OfflineItem[]
  saving: Readonly<Record<string, number>>
}

const store = getDefaultStore()
const offlineItemsAtom = atom<OfflineState | null>(null)
const running = new Map<string, AbortController>()

/** Null until the browser's store was read, or where it has none. */
export function useOfflineItems(): OfflineState | null {
  const state = useAtomValue(offlineItemsAtom)
  // The server's markup must not depend on state of an earlier page.
  const isHydrated = useHydrated()
  return isHydrated && state?.owner === pageOwner() ? state : null
}

/** Reads the saved items of this page's member. */
export async function readOfflineItems(): Promise<void> {
  if (!('indexedDB' in window)) return
  const owner = pageOwner()
  const items = await listOfflineItems(owner).catch(() => null)
  if (items)
    store.set(offlineItemsAtom, (last) => ({
      owner,
      items,
      saving: last?.owner === owner ? last.saving : {},
    }))
}

/** Saves an item, or resumes where it stopped. It goes on while pages change. */
export async function saveOffline(track: OfflineItem['track']): Promise<void> {
  const { id } = track.meta
  if (running.has(id)) return
  const control = new AbortController()
  running.set(id, control)
  const show = (share: number | null) =>
    store.set(offlineItemsAtom, (last) => {
      if (!last) return last
      const { [id]: _, ...others } = last.saving
      return { ...last, saving: share === null ? others : { ...others, [id]: share } }
    })
  // A press may come before the button has read what is kept.
  if (!store.get(offlineItemsAtom)) await readOfflineItems()
  show(0)
  try {
    await saveItem(pageOwner(), track, show, control.signal)
    emit('nocturne:toast', { kind: 'good', title: 'Kept on this device', description: track.title })
  } catch (error) {
    if (!control.signal.aborted && !isAskedToSignIn(error, () => void saveOffline(track)))
      emit('nocturne:toast', { kind: 'bad', title: 'Not kept yet', description: problemOf(error).message })
  } finally {
    running.delete(id)
    await readOfflineItems()
    show(null)
  }
}

/** Deletes it from this device; a download in progress is aborted. */
export async function removeOffline(id: string): Promise<void> {
  running.get(id)?.abort()
  await deleteOfflineItem(pageOwner(), id).catch(() => {})
  await readOfflineItems()
}
