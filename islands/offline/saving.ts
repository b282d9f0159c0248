import { atom, getDefaultStore, useAtomValue } from 'jotai'
import { isAskedToSignIn } from '#islands/member/after-sign-in'
import { saveItem } from '#islands/offline/save'
import { deleteOfflineItem, listOfflineItems, type OfflineItem } from '#islands/offline/store'
import { problemOf } from '#islands/runtime/api-error'
import { emit } from '#islands/runtime/events'
import { pageOwner } from '#islands/runtime/page-owner'
import { useHydrated } from '#islands/runtime/use-hydrated'

/** The saved items, and the progress of those being saved, by id. All buttons and lists of the page use it. */
type OfflineState = {
  owner: string
  items: readonly OfflineItem[]
  saving: Readonly<Record<string, number>>
}

const store = getDefaultStore()
const offlineItemsAtom = atom<OfflineState | null>(null)
const running = new Map<string, AbortController>()

/** Returns the saved items. Null until the browser's database was read, or if it has none. */
export function useOfflineItems(): OfflineState | null {
  const state = useAtomValue(offlineItemsAtom)
  // The server's markup must not depend on the state of an earlier page.
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

/** Saves an item, or resumes an interrupted download. It continues across page changes. */
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
  // The press may come before the button has read the saved items.
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

/** Deletes an item from this device. A download in progress is aborted. */
export async function removeOffline(id: string): Promise<void> {
  running.get(id)?.abort()
  await deleteOfflineItem(pageOwner(), id).catch(() => {})
  await readOfflineItems()
}
