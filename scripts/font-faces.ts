import { join } from 'node:path'

/** A range of a variable font's axis, or one place on it. */
type Axis = { min: number; max: number; default?: number } | number

export type FontFace = {
  family: string
  /** In node_modules: the whole file, on all of its axes. */
  path: string
  /** The name of its subset in src/ui/look/fonts. */
  subset: string
  style: 'normal' | 'italic'
  /** The weights that are drawn with it, as `font-weight` of an @font-face states them. */
  weights: string
  /** What the subset has of the axes; without it, all of them. */
  axes?: Record<string, Axis>
  /** Nearly every first screen shows it. */
  isPreloaded: boolean
}

const newsreader = '@fontsource-variable/newsreader/files/newsreader-latin-opsz'

/**
 * The faces of the look. Newsreader is cut for two sizes in place of an axis from 6 to 72: its light weights, which
 * large titles and numbers have, for 40 px, all others for 20. Each upright cut has one weight, so that it comes with
 * the first 14 KB of a connection: one with an axis of weights takes 23.
 */
export const fontFaces: readonly FontFace[] = [
  {
    family: 'Newsreader Variable',
    path: `${newsreader}-normal.woff2`,
    subset: 'newsreader-text.woff2',
    style: 'normal',
    weights: '390 499',
    axes: { opsz: 20, wght: 420 },
    isPreloaded: true,
  },
  {
    family: 'Newsreader Variable',
    path: `${newsreader}-normal.woff2`,
    subset: 'newsreader-strong.woff2',
    style: 'normal',
    weights: '500 800',
    axes: { opsz: 20, wght: 600 },
    // Words that stand out of a text.
    isPreloaded: false,
  },
  {
    family: 'Newsreader Variable',
    path: `${newsreader}-normal.woff2`,
    subset: 'newsreader-display.woff2',
    style: 'normal',
    weights: '200 389',
    axes: { opsz: 40, wght: 370 },
    isPreloaded: true,
  },
  {
    family: 'Newsreader Variable',
    path: `${newsreader}-italic.woff2`,
    subset: 'newsreader-italic.woff2',
    style: 'italic',
    weights: '200 800',
    axes: { opsz: 20, wght: 400 },
    // Met inside of stories, and where one stopped, alone.
    isPreloaded: false,
  },
  {
    family: 'Figtree Variable',
    path: '@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2',
    subset: 'figtree.woff2',
    style: 'normal',
    weights: '300 900',
    isPreloaded: true,
  },
]

/**
 * What the interface and English prose are written in, as of `unicode-range`: ASCII, typographic punctuation and the
 * accents of borrowed words. A page with any other character loads the whole file of its face too.
 */
export const commonRange =
  'U+0-7F,U+A0,U+AD,U+B7,U+D7,U+E0,U+E7-EB,U+EF,U+F1,U+F4,U+F6,U+FC,U+2013,U+2014,U+2018-201D,U+2022,U+2026'

/** Where the subset of a face is stored: making them takes seconds, so they are in the repository. */
export function subsetPath({ subset }: FontFace): string {
  return join(import.meta.dir, '../src/ui/look/fonts', subset)
}
