import { whenAnswered, whenPainted } from '#islands/navigation/press-end'
import { firstCharacter, hashCharacters } from '#islands/runtime/island-code'

/**
 * The hashes of the files that islands share, one behind the other, and the codes of the lazy islands. Put in by
 * scripts/build-islands.ts wherever the name stands: here, once. An island's code is its own file's hash and a
 * character for each shared file that it needs; pages carry those of the islands that they place.
 */
declare const islandFiles: { shared: string; lazy: Partial<Record<string, string>> }
const { shared, lazy } = islandFiles

export type IslandModule = { mount: (host: Element, props: object, prefix: string) => () => void }

/** An island that a page placed, by its code, or a lazy one. */
export async function importIsland(name: string, code?: string): Promise<IslandModule> {
  return import(preloadIsland(name, code))
}

/** Whoever has pressed waits for so long; from then on code that comes is for the next press. */
const pressedMaxMs = 10_000

/**
 * The same for an island that a press asks for. Its code is fetched when the press has been shown, since to ask for
 * a dozen files takes a phone 10 ms, and runs when the press has been answered: React takes it a tenth of a second.
 * Rejects where it does not come in time, as where it fails: on a network that swallows requests it never does.
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
 * Fetches what an island consists of: chunks beside the entry, not after it, which is one round trip less. Returns the
 * entry's address.
 */
function preloadIsland(name: string, code = lazy[name] ?? ''): string {
  for (const each of code.slice(hashCharacters)) {
    const at = (each.charCodeAt(0) - firstCharacter) * hashCharacters
    preload(`shared-${shared.slice(at, at + hashCharacters)}`)
  }
  return preload(`${name}-${code.slice(0, hashCharacters)}`)
}

/** Bytes alone: what is preloaded as a module is compiled as it comes, which may be between a press and its paint. */
function preload(file: string): string {
  const href = `/assets/${file}.js`
  if (!document.querySelector(`[href="${href}"]`)) {
    const link = document.createElement('link')
    document.head.append(Object.assign(link, { href, rel: 'preload', as: 'script', crossOrigin: '' }))
  }
  return href
}
