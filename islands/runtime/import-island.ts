import { whenAnswered, whenPainted } from '#islands/navigation/press-end'
import { firstCharacter, hashCharacters } from '#islands/runtime/island-code'
import type { LazyIsland } from '#islands/runtime/lazy-island-names'

/**
 * The hashes of the files that islands share, one behind the other, and the codes of the lazy islands. Put in by
 * scripts/build-islands.ts wherever the name stands: here, once. An island's code is its own file's hash and a
 * character for each shared file that it needs; pages carry those of the islands that they place.
 */
declare const islandFiles: { shared: string; lazy: Record<LazyIsland, string> }
const { shared, lazy } = islandFiles

export type IslandModule = { mount: (host: Element, props: object, prefix: string) => () => void }

/** The code of an island that a page placed, or of a lazy one. */
export async function importIsland(name: string, code = ''): Promise<IslandModule> {
  preloadIsland(name, code)
  return import(entryOf(name, code))
}

/**
 * The same for an island that a press asks for. Its code is fetched when the press has been shown, since to ask for 15
 * files takes a phone 10 ms, and runs when the press has been answered: React takes it a tenth of a second.
 */
export async function importPressed(name: string, code: string): Promise<IslandModule> {
  await whenPainted()
  preloadIsland(name, code)
  await whenAnswered()
  return importIsland(name, code)
}

/** Fetches what `importIsland` runs: chunks beside the entry, not after it, which is one round trip less. */
function preloadIsland(name: string, code: string): void {
  for (const each of code.slice(hashCharacters)) {
    const at = (each.charCodeAt(0) - firstCharacter) * hashCharacters
    preload(`/assets/shared-${shared.slice(at, at + hashCharacters)}.js`)
  }
  preload(entryOf(name, code))
}

const entryOf = (name: string, code: string) => `/assets/${name}-${code.slice(0, hashCharacters)}.js`

export const codeOfLazy = (name: LazyIsland) => lazy[name]

function preload(href: string): void {
  if (document.head.querySelector(`link[href="${href}"]`)) return
  document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }))
}
