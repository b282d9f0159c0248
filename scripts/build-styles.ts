import { basename, join } from 'node:path'
import { createGenerator } from '@unocss/core'
import { type PresetMiniOptions, presetMini, type Theme } from '@unocss/preset-mini'
import type { AssetFolder } from '#scripts/asset-folder'

type Styles = { member: string; console: string; preloadFonts: string[] }

const fontFile = /url\("(@fontsource-variable\/[^"]+)"\)/g
/** The italic face is only met inside stories and quotes: it comes when it is needed. */
const isPreloaded = (path: string) => !path.includes('italic')

/** The members' stylesheet (tokens, components, utilities in use) and the one that the console adds to it. */
export async function buildStyles(root: string, assets: AssetFolder, minify: boolean): Promise<Styles> {
  const read = (name: string) => Bun.file(join(root, 'src/ui/look', name)).text()
  const [tokens, components, page, consoleComponents] = await Promise.all([
    read('tokens.css'),
    read('components.css'),
    read('page.css'),
    read('console.css'),
  ])
  const utilities = await generateUtilities(root, classNamesIn(components + page + consoleComponents))
  const fonts = await addFonts(root, assets, tokens)
  const faces = tokens.replace(fontFile, (_, path: string) => `url("${fonts.get(path)}")`)
  const member = [withSystemTheme(faces), components, page, utilities].join('\n')
  return {
    member: await assets.add('nocturne.css', await minified(member, minify)),
    console: await assets.add('console.css', await minified(consoleComponents, minify)),
    preloadFonts: [...fonts].filter(([path]) => isPreloaded(path)).map(([, name]) => name),
  }
}

async function addFonts(root: string, assets: AssetFolder, css: string): Promise<Map<string, string>> {
  const fonts = new Map<string, string>()
  for (const [, path = ''] of css.matchAll(fontFile)) {
    const content = await Bun.file(join(root, 'node_modules', path)).bytes()
    fonts.set(path, await assets.add(basename(path), content))
  }
  return fonts
}

/** Visitors who chose no theme get paper where their system is light: the same values, stated once. */
function withSystemTheme(css: string): string {
  const paper = css.match(/\[data-theme="paper"\] (\{[^}]*\})/)?.[1]
  if (!paper) throw new Error('tokens.css has no [data-theme="paper"] block to repeat for light systems.')
  return `${css}\n@media (prefers-color-scheme: light) { :root:not([data-theme]) ${paper} }`
}

/**
 * UnoCSS over what is in the source: only utilities in use, with the values of tokens.css. A name that the
 * look has taken (`table`, `grid`) is no utility: it would come last and win over the component.
 */
async function generateUtilities(root: string, taken: Set<string>): Promise<string> {
  const preset = presetMini({ preflight: false } satisfies PresetMiniOptions)
  const uno = await createGenerator<Theme>({ presets: [preset], theme })
  const tokens = new Set<string>()
  for await (const path of new Bun.Glob('{src,islands}/**/*.tsx').scan(root)) {
    await uno.applyExtractors(await Bun.file(join(root, path)).text(), path, tokens)
  }
  const { css } = await uno.generate(tokens.difference(taken), { preflights: false })
  return css
}

function classNamesIn(css: string): Set<string> {
  return new Set([...css.matchAll(/\.([a-z][\w-]*)/g)].map(([, name = '']) => name))
}

const colorNames = [
  'bg',
  'bg-sunk',
  'surface',
  'surface-2',
  'surface-3',
  'line',
  'accent',
  'good',
  'warn',
  'bad',
  'info',
]
const steps = [1, 2, 3, 4, 5, 6, 7, 8, 9]

const theme: Theme = {
  colors: {
    ...Object.fromEntries(colorNames.map((name) => [name, `var(--${name})`])),
    ink: { DEFAULT: 'var(--text)', 2: 'var(--text-2)', 3: 'var(--text-3)' },
  },
  fontFamily: { serif: 'var(--serif)', sans: 'var(--sans)', mono: 'var(--mono)' },
  spacing: Object.fromEntries(steps.map((step) => [step, `var(--s-${step})`])),
  breakpoints: { sm: '521px', md: '861px', lg: '1121px' },
}

async function minified(css: string, minify: boolean): Promise<string> {
  if (!minify) return css
  const result = await Bun.build({
    entrypoints: ['/styles.css'],
    files: { '/styles.css': css },
    minify: true,
    external: ['*.woff2'],
  })
  const [output] = result.outputs
  if (!output) throw new Error(`The stylesheet was not minified: ${result.logs.join('\n')}`)
  return output.text()
}
