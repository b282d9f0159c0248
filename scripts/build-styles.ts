import { basename, join } from 'node:path'
import { createGenerator } from '@unocss/core'
import type { AssetFolder } from '#scripts/asset-folder'
import type { BuildTarget } from '#scripts/build-islands'
import { commonRange, type FontFace, fontFaces, subsetPath } from '#scripts/font-faces'
import { type IconSprite, joinIcons } from '#scripts/icon-sprite'
import config from '../uno.config'

type Styles = { member: string; console: string; preloadFonts: string[]; icons: string }

/** The unicode-range of the complete font files, as their packages state it. */
const wholeRange =
  'U+0-FF,U+131,U+152-153,U+2BB-2BC,U+2C6,U+2DA,U+2DC,U+304,U+308,U+329,U+2000-206F,U+20AC,U+2122,U+2191-2193,U+2212,U+2215'

/**
 * Builds the members' stylesheet and the one that the console adds: the hand-written look, and what UnoCSS generates.
 */
export async function buildStyles({ root, assets, minify }: BuildTarget): Promise<Styles> {
  const read = (name: string) => Bun.file(join(root, 'src/ui/look', name)).text()
  const [tokens, components, page, consoleComponents] = await Promise.all([
    read('tokens.css'),
    read('components.css'),
    read('page.css'),
    read('console.css'),
  ])
  const generated = await generateStyles(root)
  const addIcons = ({ svg }: IconSprite) => assets.add('icons.svg', svg)
  const [icons, consoleIcons] = await Promise.all([addIcons(generated.rest), addIcons(generated.console)])
  const fonts = await Promise.all(fontFaces.map((face) => addFont(assets, root, face)))
  const faces = fonts.map(({ rules }) => rules)
  const member = [
    ...faces,
    withSystemTheme(tokens),
    generated.shortcuts,
    components,
    page,
    generated.rest.rules(icons),
  ].join('\n')
  const finish = minify ? minifyStyles : async (css: string) => css
  return {
    member: await assets.add('nocturne.css', await finish(member)),
    console: await assets.add(
      'console.css',
      await finish(`${consoleComponents}\n${generated.console.rules(consoleIcons)}`),
    ),
    preloadFonts: fonts.flatMap(({ face, file }) => (face.isPreloaded ? file : [])),
    icons,
  }
}

/**
 * Returns the @font-face rules of a face: for the complete file, and then for the subset with the characters of nearly
 * all pages. Browsers consult later rules first.
 */
async function addFont(assets: AssetFolder, root: string, face: FontFace) {
  const add = async (file: string) => assets.add(basename(file), await Bun.file(file).bytes())
  const rule = (file: string, range: string) => `@font-face {
    font-family: "${face.family}";
    src: url("${file}");
    font-weight: ${face.weights};
    font-style: ${face.style};
    font-display: swap;
    unicode-range: ${range};
  }`
  const whole = await add(join(root, 'node_modules', face.path))
  const common = await add(subsetPath(face))
  return { rules: `${rule(whole, wholeRange)}\n${rule(common, commonRange)}`, file: common, face }
}

/**
 * Adds the paper theme for visitors who have chosen no theme and whose system is light. The values are stated only
 * once.
 */
function withSystemTheme(css: string): string {
  const paper = css.match(/\[data-theme="paper"\] (\{[^}]*\})/)?.[1]
  if (!paper) throw new Error('tokens.css has no [data-theme="paper"] block to repeat for light systems.')
  return `${css}\n@media (prefers-color-scheme: light) { :root:not([data-theme]) ${paper} }`
}

/** Sources whose classes only operators' pages use. Icons that members never see are in console.css. */
const consoleSource = new Bun.Glob(
  '{src,islands}/{analytics,guideline,import,job,library,model,narration,operator,review,ui/console}/**',
)

type Generated = { shortcuts: string; rest: IconSprite; console: IconSprite }

/**
 * Generates the rules of uno.config.ts for the class names in the source. Shortcuts come before the components, whose
 * rules override them; the rest comes last. Throws for an icon that the set does not have.
 */
async function generateStyles(root: string): Promise<Generated> {
  const uno = await createGenerator(config)
  const [member, console] = [new Set<string>(), new Set<string>()]
  for await (const path of new Bun.Glob('{src,islands}/**/*.{ts,tsx}').scan(root)) {
    if (path.includes('.test.')) continue
    const source = await Bun.file(join(root, path)).text()
    await uno.applyExtractors(source, path, consoleSource.match(path) ? console : member)
  }
  const generated = await uno.generate(member, { preflights: false })
  const added = await uno.generate(console.difference(member), { preflights: false })
  const isKnown = (name: string) => generated.matched.has(name) || added.matched.has(name)
  const unknown = [...member, ...console].filter((name) => name.startsWith('i-lucide-') && !isKnown(name))
  if (unknown.length > 0)
    throw new Error(`Lucide has no such icons: ${unknown.join(', ')}. Choose others at lucide.dev/icons.`)
  return {
    shortcuts: generated.getLayers(['shortcuts']),
    rest: joinIcons(generated.getLayers(undefined, ['shortcuts']), '.icon'),
    console: joinIcons(added.css),
  }
}

async function minifyStyles(css: string): Promise<string> {
  const result = await Bun.build({
    entrypoints: ['/styles.css'],
    files: { '/styles.css': css },
    minify: true,
    external: ['*.woff2', '*.svg'],
  })
  const [output] = result.outputs
  if (!output) throw new Error(`The stylesheet was not minified: ${result.logs.join('\n')}`)
  return output.text()
}
