import { arcs, lampWindow, petals, threads } from '#src/ui/cover/figures'
import { horizon, moon, waves } from '#src/ui/cover/landscapes'
import { coloursOf, type PaletteName, paletteNames } from '#src/ui/cover/palettes'
import { gradient, type Motif, type Next } from '#src/ui/cover/shapes'

const motifs = { moon, waves, horizon, petals, arcs, window: lampWindow, threads } satisfies Record<
  string,
  Motif
>
export type MotifName = keyof typeof motifs
export const motifNames: readonly MotifName[] = [
  'moon',
  'waves',
  'horizon',
  'petals',
  'arcs',
  'window',
  'threads',
]

export type CoverOptions = {
  /** Makes gradient ids unique on a page that shows one title twice. */
  id?: string
  motif?: MotifName
  palette?: PaletteName
}

/**
 * What is inside a cover's `<svg viewBox="0 0 480 480">`: quiet, abstract art made from a title. Pure: the
 * same title gives the same cover, on the server, in the browser and in an Open Graph image. Holds nothing of
 * the title's text, and no style attributes.
 */
export function drawCover(title: string, options: CoverOptions = {}): string {
  const seed = hashOf(title)
  const next = randomFrom(seed)
  const motif = pick(motifNames, next, options.motif)
  const palette = pick(paletteNames, next, options.palette)
  const id = `cv${seed.toString(36)}${options.id ?? ''}`
  const c = coloursOf(palette)
  const art: { shapes: string; defs?: string } = motifs[motif](c, next, id)
  const ground = gradient(
    `${id}s`,
    [
      [0, c.deep],
      [1, c.mid],
    ],
    'x1="0" y1="0" x2="0.25" y2="1"',
  )
  const vignette = `<radialGradient id="${id}l" cx="0.5" cy="0.45" r="0.75"><stop offset="0.45" stop-color="${c.deep}" stop-opacity="0"/><stop offset="1" stop-color="${c.deep}" stop-opacity="0.55"/></radialGradient>`
  return `<defs>${ground}${vignette}${art.defs ?? ''}</defs><rect width="480" height="480" fill="url(#${id}s)"/>${art.shapes}<rect width="480" height="480" fill="url(#${id}l)"/>`
}

/** A cover as a document of its own: for Open Graph pictures and mails. */
export function coverSvg(title: string, options: CoverOptions = {}): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 480 480">${drawCover(title, options)}</svg>`
}

/** A forced choice takes nothing from the series, as in the reference. */
function pick<Name>(names: readonly Name[], next: Next, forced: Name | undefined): Name {
  if (forced !== undefined) return forced
  const name = names[Math.floor(next() * names.length)]
  if (name === undefined) throw new Error('A cover was picked from an empty list.')
  return name
}

/** FNV-1a, 32 bits, over the normalised title, then mixed: "The Gift" and " the  gift" are one cover. */
function hashOf(title: string): number {
  let hash = 0x811c9dc5
  const normalised = title.normalize('NFKC').trim().toLowerCase().replace(/\s+/g, ' ')
  for (const byte of new TextEncoder().encode(normalised)) {
    hash = Math.imul(hash ^ byte, 0x01000193)
  }
  // murmur3's finaliser: near titles get far covers.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** mulberry32: a small, well-spread generator; the same seed gives the same series. */
function randomFrom(seed: number): Next {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
