import Favorite from '#islands/favorite'
import ItemActions from '#islands/item-actions'
import { mountIsland } from '#islands/mount-island'
import Opinion from '#islands/opinion'
import ReadAlong from '#islands/read-along'
import ReaderSettings from '#islands/reader-settings'
import StoryReader from '#islands/story-reader'

/** Ends an island. */
type Unmount = () => void

/** The islands of a reader, which a fetched page brings as markup. The loader starts those of real pages. */
const mounts: Record<string, (host: Element, props: string, prefix: string) => Unmount> = {
  favorite: (host, props, prefix) => mountIsland(Favorite, host, JSON.parse(props), prefix),
  'item-actions': (host, props, prefix) => mountIsland(ItemActions, host, JSON.parse(props), prefix),
  opinion: (host, props, prefix) => mountIsland(Opinion, host, JSON.parse(props), prefix),
  'read-along': (host, props, prefix) => mountIsland(ReadAlong, host, JSON.parse(props), prefix),
  'reader-settings': (host, props, prefix) => mountIsland(ReaderSettings, host, JSON.parse(props), prefix),
  'story-reader': (host, props, prefix) => mountIsland(StoryReader, host, JSON.parse(props), prefix),
}

/** Brings the islands inside of an element to life; gives the way to end them. */
export function startReaderIslands(inside: Element): Unmount {
  const unmounts = [...inside.querySelectorAll<HTMLElement>('nocturne-island')].map((island) => {
    const { name = '', prefix = '' } = island.dataset
    const host = island.querySelector('nocturne-root')
    const props = island.querySelector(':scope > script')?.textContent ?? '{}'
    return host && mounts[name]?.(host, props, prefix)
  })
  return () => {
    for (const unmount of unmounts) unmount?.()
  }
}
