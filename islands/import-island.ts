/** Island name → its file, then the chunks it imports. Put in by scripts/build-islands.ts. */
declare const islandFiles: Record<string, string[]>

export type IslandModule = { mount: (host: Element, props: object, prefix: string) => () => void }

/** The code of an island, or null where this build has none of that name. */
export async function importIsland(name: string): Promise<IslandModule | null> {
  const [entry, ...chunks] = islandFiles[name] ?? []
  if (!entry) return null
  // Chunks beside the entry, not after it: one round trip less.
  for (const chunk of chunks) preload(`/assets/${chunk}`)
  return import(`/assets/${entry}`)
}

export function hasIsland(name: string): boolean {
  return name in islandFiles
}

function preload(href: string): void {
  if (document.head.querySelector(`link[href="${href}"]`)) return
  document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }))
}
