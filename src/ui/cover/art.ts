import { arcs, lampWindow, petals, threads } from '#src/ui/cover/figures'
import { horizon, moon, waves } from '#src/ui/cover/landscapes'
import { type PaletteName, paletteNames, palettes } from '#src/ui/cover/palettes'
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

type CoverOptions = { motif?: MotifName; palette?: PaletteName }

/**
 * The SVG of a cover: quiet, abstract art derived from a title's seed. Pure: the same seed gives the same cover, on the
 * server and in the service worker. Contains no style attributes.
 */
export function drawCover(seed: number, options: CoverOptions = {}): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 480 480" width="480" height="480">${drawArt(seed, options)}</svg>`
}

/** The content of the cover's square of 480. The square clips it. */
export function drawArt(seed: number, options: CoverOptions = {}): string {
  const next = randomFrom(seed)
  const motif = pick(motifNames, next, options.motif)
  const palette = pick(paletteNames, next, options.palette)
  const id = `cv${seed.toString(36)}`
  const c = palettes[palette]
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

/** A forced choice takes no number from the series, as in the reference. */
function pick<Name>(names: readonly Name[], next: Next, forced: Name | undefined): Name {
  if (forced !== undefined) return forced
  const name = names[Math.floor(next() * names.length)]
  if (name === undefined) throw new Error('A cover was picked from an empty list.')
  return name
}

/** mulberry32: a small generator with a good distribution. The same seed gives the same series. */
function randomFrom(seed: number): Next {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
