import { atom, getDefaultStore, useAtomValue } from 'jotai'
import { problemOf } from '#islands/api-call'
import { emit } from '#islands/events'
import { pageOwner } from '#islands/kept-reports'
import { saveItem } from '#islands/offline/save'
import { type KeptItem, listKept, removeKept } from '#islands/offline/store'
import { useHydrated } from '#islands/use-hydrated'

/** What is kept and what is on its way, by the items' ids: one truth for every button and list of the page. */
type Shelf = {
  owner: string
  kept: readonly KeptItem[]
  saving: Readonly<Record<string, number>>
}

const store = getDefaultStore()
const shelfAtom = atom<Shelf | null>(null)
const running = new Map<string, AbortController>()

/** Null until the browser's store was read, or where it has none. */
export function useKeptShelf(): Shelf | null {
  const shelf = useAtomValue(shelfAtom)
  // What is known from the page before is no part of the server's markup.
  const isHydrated = useHydrated()
  return isHydrated && shelf?.owner === pageOwner() ? shelf : null
}

/** Reads what is kept for whoever this page is for. */
export async function readShelf(): Promise<void> {
  if (!('indexedDB' in window)) return
  const owner = pageOwner()
  const kept = await listKept(owner).catch(() => null)
  if (kept)
    store.set(shelfAtom, (last) => ({ owner, kept, saving: last?.owner === owner ? last.saving : {} }))
}

/** Keeps an item, or goes on where it stopped. It goes on while one moves from page to page. */
export async function keepOffline(track: KeptItem['track']): Promise<void> {
  const { id } = track.meta
  if (running.has(id)) return
  const control = new AbortController()
  running.set(id, control)
  const show = (share: number | null) =>
    store.set(shelfAtom, (last) => {
      if (!last) return last
      const { [id]: _, ...others } = last.saving
      return { ...last, saving: share === null ? others : { ...others, [id]: share } }
    })
  show(0)
  try {
    await saveItem(pageOwner(), track, show, control.signal)
    emit('nocturne:toast', { kind: 'good', title: 'Kept on this device', description: track.title })
  } catch (error) {
    if (!control.signal.aborted)
      emit('nocturne:toast', { kind: 'bad', title: 'Not kept yet', description: problemOf(error).message })
  } finally {
    running.delete(id)
    await readShelf()
    show(null)
  }
}

/** Takes it from this device; what is on its way is stopped. */
export async function forgetOffline(id: string): Promise<void> {
  running.get(id)?.abort()
  await removeKept(pageOwner(), id).catch(() => {})
  await readShelf()
}
