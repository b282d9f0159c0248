import { readFileSync } from 'node:fs'
import { icons as lucide } from '@iconify-json/lucide'
import type { UserConfig } from '@unocss/core'
import { presetIcons } from '@unocss/preset-icons'
import { presetMini, type Theme } from '@unocss/preset-mini'
import { findClassNames } from './scripts/class-names'
import type { Look } from './src/ui/icon'

/** Configuration of UnoCSS, for `scripts/build-styles.ts` and for the plug-ins of editors. */

const read = (name: string) => readFileSync(new URL(`src/ui/look/${name}.css`, import.meta.url), 'utf8')
const handWritten = ['components', 'page', 'console'].map(read).join('\n')

/** Each token of tokens.css with its first value, which is the dark theme's. */
const tokens = [...read('tokens').matchAll(/--([\w-]+):\s*([^;]+);/g)].map(([, name = '', value = '']) => ({
  name,
  value,
}))
const isColor = (value: string) => /^(#|rgb\()/.test(value)

type Token = (typeof tokens)[number]

/** Returns tokens by the part of their names after `prefix`: spacing 4 is `var(--s-4)`. */
function themed(prefix: string, isMeant: (token: Token) => boolean = ({ value }) => !isColor(value)) {
  const meant = tokens.filter((token) => token.name.startsWith(prefix) && isMeant(token))
  return Object.fromEntries(meant.map(({ name }) => [name.slice(prefix.length), `var(--${name})`]))
}

const theme: Theme = {
  colors: themed('', ({ value }) => isColor(value)),
  spacing: themed('s-'),
  fontFamily: themed('', ({ name }) => /^(serif|sans|mono)$/.test(name)),
  fontSize: Object.fromEntries(Object.entries(themed('text-')).map(([name, value]) => [name, [value, {}]])),
  boxShadow: themed('shadow-'),
}

/** SVG attributes that draw an icon as a mask with the stroke of each look. The colour does not matter. */
const drawings: Record<Look, string> = {
  '': "fill='none' stroke='#000' stroke-width='1.6'",
  'sm-': "fill='none' stroke='#000' stroke-width='1.8'",
  'lg-': "fill='none' stroke='#000' stroke-width='1.35'",
  'solid-': '',
  'sm-solid-': '',
  'pressed-': "stroke='#000' stroke-width='1.6'",
}
const setsOwn = / (fill="none"|stroke="currentColor"|stroke-(linecap|linejoin)="round"|stroke-width="2")/g
/** Thousandths of a unit cannot be seen in a drawing of 24 units, and do not compress. */
const longNumber = /(\.\d\d)\d+/g

function drawIcon(name: string, drawing: string): string | undefined {
  const body = lucide.icons[name]?.body.replace(setsOwn, '').replace(longNumber, '$1')
  const ends = drawing && " stroke-linecap='round' stroke-linejoin='round'"
  return body && `<svg viewBox='0 0 24 24' ${drawing}${ends}>${body}</svg>`
}

const config: UserConfig<Theme> = {
  presets: [
    presetMini({ preflight: false, arbitraryVariants: false }),
    presetIcons({
      scale: 0,
      mode: 'mask',
      collections: Object.fromEntries(
        Object.entries(drawings).map(([look, drawing]) => [
          `lucide-${look}`.slice(0, -1),
          (name: string) => drawIcon(name, drawing),
        ]),
      ),
      // `.icon` in components.css states once what the preset would repeat for each icon.
      processor(css) {
        for (const property of Object.keys(css)) if (property !== '--un-icon') delete css[property]
      },
    }),
  ],
  theme,
  // With `-` as a separator too, `empty-art` would be parsed as `art` with the variant `empty`.
  separators: [':'],
  // Components that are no more than a line of utilities. A rule in src/ui/look comes later and overrides it.
  shortcuts: {
    'audio-none': 'text-text-3',
    'challenge-foot': 'flex justify-between items-center gap-3 mt-1',
    days: 'grid gap-2',
    'empty-art': 'w-120px h-84px text-text-3',
    'item-list': 'grid gap-4',
    'landing-quote': 'max-w-30rem grid gap-4',
    'library-card-words': 'grid grid-cols-1 gap-6px min-w-0',
    'phone-row': 'flex justify-between w-full',
    'rail-track': 'w-96px h-300px overflow-visible',
    'rank-list': 'grid gap-4',
    'rank-words': 'grid gap-2 min-w-0',
    'read-along-words': 'max-w-15rem',
    'reader-start': 'flex flex-wrap items-center justify-between gap-x-4 gap-y-2 mb-5',
    reasons: 'grid gap-3',
    retention: 'inline-block w-96px h-24px',
    'row-controls': 'flex items-center',
    swatches: 'flex gap-2',
    'tool-label': 'text-sm text-text-3',
    'upload-list': 'grid gap-3',
    verdicts: 'flex flex-wrap gap-2',
    words: 'flex flex-wrap gap-6px',
  },
  // Class names are read from class attributes, and names of icons anywhere; nothing else is a class name.
  extractorDefault: null,
  extractors: [
    {
      name: 'class attributes and icons',
      extract: ({ code }) => [...findClassNames(code).names, ...(code.match(/\bi-lucide-[\w-]+/g) ?? [])],
    },
  ],
  // A name that the look uses (`table`, `grid`) must not be a utility, which would override the component.
  blocklist: [...handWritten.matchAll(/\.([a-z][\w-]*)/g)].map(([, name = '']) => name),
}

export default config
