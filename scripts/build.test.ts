import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { build } from '#scripts/build'
import type { Manifest } from '#src/ui/manifest'

const root = join(import.meta.dir, '..')
let out = ''
let manifest: Manifest

beforeAll(async () => {
  out = await mkdtemp(join(tmpdir(), 'nocturne-build-'))
  manifest = await build({ out })
})
afterAll(() => rm(out, { recursive: true, force: true }))

const path = (name: string) => join(out, 'assets', name)
const bytes = (name: string) => Bun.file(path(name)).size
/** Returns an island's own file and the shared files that it needs. */
const filesOf = (name: string): string[] => [
  manifest.islands[name] ?? '',
  ...(manifest.preload.chunks[name] ?? []),
]

test('every file in the manifest exists, and text files have .br and .gz copies', () => {
  const { styles, consoleStyles, loader, islands, preload, files } = manifest
  const texts = [
    styles,
    consoleStyles,
    loader,
    ...Object.values(islands),
    ...Object.values(preload.chunks).flat(),
  ]
  for (const name of texts) {
    for (const sibling of [name, `${name}.br`, `${name}.gz`]) expect(existsSync(path(sibling))).toBe(true)
  }
  for (const name of [...preload.fonts, preload.icons, ...Object.values(files)])
    expect(existsSync(path(name))).toBe(true)
})

test('two builds of the same source are identical', async () => {
  const again = await build({ out })
  expect(again).toEqual(manifest)
})

test('the stylesheets, the loader, the analytics client and the service worker stay within size limits', () => {
  // Includes the font metrics that prevent layout shifts when the fonts load.
  expect(bytes(`${manifest.styles}.br`)).toBeLessThanOrEqual(14 * 1024)
  expect(bytes(`${manifest.consoleStyles}.br`)).toBeLessThanOrEqual(5.5 * 1024)
  // Together they are the scripts of a page until its first press: 12 KB with the codes of the files that islands load,
  // which take 0.6 KB, do not compress, and change with every file. Viewed cards, filters, prefetching the next
  // list, showing a page before its figures and waking an island by presses elsewhere spare a page React; presses that
  // are recorded until it is there cost 0.8 KB (press-replay.ts).
  expect(compressedCode(manifest.loader) + compressedCode(manifest.analytics)).toBeLessThanOrEqual(
    11.5 * 1024,
  )
  // It draws the covers while the network is away: a kilobyte.
  expect(bytes(`${manifest.worker}.br`)).toBeLessThanOrEqual(9.25 * 1024)
})

/** Compressed size in bytes of a script without the codes of shared files and islands, which change with any file. */
function compressedCode(name: string): number {
  const code = readFileSync(path(name), 'utf8')
    .replace(/(?<=shared:")[^"]*/, '')
    .replace(/(?<=")\w{8}[\u0100-\u01ff]*(?=")/g, '')
  return brotliCompressSync(code).length
}

test('the stylesheet names fonts by their hashed file names', async () => {
  const css = await Bun.file(path(manifest.styles)).text()
  const fonts = [...css.matchAll(/url\("?([^")]+\.woff2)/g)].map(([, name = '']) => name)
  // Each face twice: the complete file, and the common characters.
  expect(fonts).toHaveLength(10)
  for (const name of fonts) expect(existsSync(path(name))).toBe(true)
})

test('the loader contains no React, and all islands share one copy', async () => {
  const isReact = async (name: string) => (await Bun.file(path(name)).text()).includes('isReactComponent')
  expect(await isReact(manifest.loader)).toBe(false)
  const chunks = new Set(Object.values(manifest.preload.chunks).flat())
  const withReact = await Promise.all([...chunks, ...Object.values(manifest.islands)].map(isReact))
  expect(withReact.filter(Boolean)).toHaveLength(1)
})

test('the story reader and the reader settings load no React and stay below 9 KB', async () => {
  const files = [...new Set(['story-reader', 'reader-settings'].flatMap(filesOf))]
  for (const name of files) expect(await Bun.file(path(name)).text()).not.toContain('isReactComponent')
  expect(files.map((name) => bytes(`${name}.br`)).reduce((a, b) => a + b)).toBeLessThanOrEqual(9 * 1024)
})

test('an island’s preload list contains all of its imports, in few files', async () => {
  const names = Object.keys(manifest.islands)
  const importsOf = new Map<string, string[]>()
  for (const file of new Set(names.flatMap(filesOf))) {
    const { imports } = new Bun.Transpiler().scan(await Bun.file(path(file)).text())
    const needed = imports.filter(({ kind }) => kind === 'import-statement')
    importsOf.set(
      file,
      needed.map((each) => each.path.replace('./', '')),
    )
  }
  for (const files of names.map(filesOf))
    expect(files).toEqual(expect.arrayContaining(files.flatMap((file) => importsOf.get(file) ?? [])))
  const countOf = (name: string) => filesOf(name).length
  expect(Math.max(...names.map(countOf))).toBeLessThanOrEqual(22)
  expect(countOf('card-controls')).toBeLessThanOrEqual(11)
  expect(countOf('story-reader')).toBeLessThanOrEqual(6)
})

test('every island used in a page is built', async () => {
  for await (const file of new Bun.Glob('src/**/*.tsx').scan(root)) {
    if (file.includes('.test.')) continue
    const source = await Bun.file(join(root, file)).text()
    for (const [, name = ''] of source.matchAll(/<Island\s+name="([^"]+)"/g))
      expect(manifest.islands).toHaveProperty(name)
  }
})
