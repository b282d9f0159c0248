import { join } from 'node:path'

/** A range of a variable font's axis, or a single position on it. */
type Axis = { min: number; max: number; default?: number } | number

export type FontFace = {
  family: string
  /** The path of the complete file in node_modules, with all its axes. */
  path: string
  /** The name of its subset in src/ui/look/fonts. */
  subset: string
  style: 'normal' | 'italic'
  /** The weights that this face is used for, as in `font-weight` of an @font-face rule. */
  weights: string
  /** The part of the axes that the subset contains; all of them if absent. */
  axes?: Record<string, Axis>
  /** Whether nearly every first screen uses it. */
  isPreloaded: boolean
}

const newsreader = '@fontsource-variable/newsreader/files/newsreader-latin-opsz'

/**
 * The faces of the look. Newsreader is cut at two optical sizes instead of an axis from 6 to 72: 40 px for its light
 * weights, which large titles and numbers use, and 20 px for all others. Each upright cut has one weight, so that it
 * arrives within the first 14 KB of a connection; with an axis of weights it would take 23 KB.
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
    // Used for emphasized words in a text.
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
    // Used only inside of stories, and where reading stopped.
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
 * The characters of the interface and of English prose, in the form of `unicode-range`: ASCII, typographic punctuation
 * and the accents of borrowed words. A page with any other character loads the complete file of its face too.
 */
export const commonRange =
  'U+0-7F,U+A0,U+AD,U+B7,U+D7,U+E0,U+E7-EB,U+EF,U+F1,U+F4,U+F6,U+FC,U+2013,U+2014,U+2018-201D,U+2022,U+2026'

/**
 * Returns where the subset of a face is stored. The subsets are in the repository, because creating them takes seconds.
 */
export function subsetPath({ subset }: FontFace): string {
  return join(import.meta.dir, '../src/ui/look/fonts', subset)
}
