import { normalizeText } from './normalize'

/** The seed that a title's cover is drawn from. "The Gift" and " the  gift" have the same cover. */
export function coverSeed(title: string): number {
  return hashText(normalizeText(title, 'NFKC').trim().toLowerCase().replace(/\s+/g, ' '))
}

/** FNV-1a with 32 bits, then mixed; not for secrets. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5
  for (const byte of new TextEncoder().encode(text)) {
    hash = Math.imul(hash ^ byte, 0x01000193)
  }
  // The finaliser of murmur3: similar titles get different covers.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

export const coverFolder = '/cover/'

/** The address of a title's cover, which does not reveal the title. */
export function coverPath(title: string): string {
  return `${coverFolder}${coverSeed(title).toString(36)}?v=1`
}

/** Reads the seed of an address; null if it has none. */
export function readCoverSeed(text: string): number | null {
  const seed = Number.parseInt(text, 36)
  return seed.toString(36) === text && seed >= 0 && seed < 2 ** 32 ? seed : null
}
