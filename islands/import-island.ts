/**
 * The hashes of the files that islands share, one behind the other, and by an island's name its own file's hash and
 * which of them it needs, a character each. Put in by scripts/build-islands.ts wherever the name stands: here, once.
 */
declare const islandFiles: { shared: string; islands: Record<string, string> }
const hashCharacters = 8
const { shared, islands } = islandFiles

export type IslandModule = { mount: (host: Element, props: object, prefix: string) => () => void }

/** The code of an island, or null where this build has none of that name. */
export async function importIsland(name: string): Promise<IslandModule | null> {
  const files = islands[name]
  if (!files) return null
  // Chunks beside the entry, not after it: one round trip less.
  for (const each of files.slice(hashCharacters)) {
    const at = (each.charCodeAt(0) - 48) * hashCharacters
    preload(`/assets/shared-${shared.slice(at, at + hashCharacters)}.js`)
  }
  return import(`/assets/${name}-${files.slice(0, hashCharacters)}.js`)
}

export function hasIsland(name: string): boolean {
  return name in islands
}

function preload(href: string): void {
  if (document.head.querySelector(`link[href="${href}"]`)) return
  document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }))
}
