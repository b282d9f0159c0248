import { whenAnswered, whenPainted } from '#islands/navigation/press-end'
import { firstCharacter, hashCharacters } from '#islands/runtime/island-code'

/**
 * `shared`: the hashes of the files that islands share, concatenated. `lazy`: the codes of the lazy islands. The build
 * inserts this object wherever its name occurs (scripts/build-islands.ts), so it occurs once, here. An island's code is
 * the hash of its own file, then one character for each shared file that it needs. Pages carry the codes of their
 * islands.
 */
declare const islandFiles: { shared: string; lazy: Partial<Record<string, string>> }
const { shared, lazy } = islandFiles

export type IslandModule = { mount: (host: Element, props: object, prefix: string) => () => void }

/** Imports an island: one on a page by its code, a lazy one by its name alone. */
export async function importIsland(name: string, code?: string): Promise<IslandModule> {
  return import(preloadIsland(name, code))
}

/** How long a press waits for its island. Code that arrives later serves the next press. */
const pressedMaxMs = 10_000

/**
 * Imports the island that a press asks for. Its code is fetched once the press has been painted, because requesting a
 * dozen files takes a phone 10 ms. It runs once the response to the press has been painted, because starting it takes
 * tens of milliseconds there. Rejects if the code fails to load or does not arrive in time; on a network that swallows
 * requests it never would.
 */
export async function importPressed(name: string, code?: string): Promise<IslandModule> {
  await whenPainted()
  preloadIsland(name, code)
  await whenAnswered()
  return new Promise((resolve, reject) => {
    setTimeout(reject, pressedMaxMs, `${name} does not come.`)
    importIsland(name, code).then(resolve, reject)
  })
}

/**
 * Starts fetching the files of an island. The shared chunks are fetched in parallel with the entry instead of after it,
 * which saves a round trip. Returns the entry's address.
 */
function preloadIsland(name: string, code = lazy[name] ?? ''): string {
  for (const each of code.slice(hashCharacters)) {
    const at = (each.charCodeAt(0) - firstCharacter) * hashCharacters
    preload(`shared-${shared.slice(at, at + hashCharacters)}`)
  }
  return preload(`${name}-${code.slice(0, hashCharacters)}`)
}

/**
 * Fetches the bytes only: `modulepreload` would also compile them on arrival, possibly between a press and its paint.
 */
function preload(file: string): string {
  const href = `/assets/${file}.js`
  if (!document.querySelector(`[href="${href}"]`)) {
    const link = document.createElement('link')
    document.head.append(Object.assign(link, { href, rel: 'preload', as: 'script', crossOrigin: '' }))
  }
  return href
}
