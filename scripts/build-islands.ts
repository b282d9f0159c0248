import { basename, join } from 'node:path'
import { firstCharacter } from '#islands/island-code'
import { lazyIslands } from '#islands/lazy-island-names'
import { offlineIslands } from '#islands/offline/island-names'
import type { AssetFolder } from '#scripts/asset-folder'

export type BuiltIslands = {
  entries: Record<string, string>
  /** The shared files that each needs. */
  chunks: Record<string, string[]>
  /** The hashes of all shared files, one behind the other. */
  shared: string
  /** An island's name → its own file's hash, and a character for each shared file that it needs. */
  codes: Record<string, string>
  /** Every file that the islands of the page without a network can come to need. */
  offline: string[]
}

/**
 * Bundles every island. Each gets an entry of its own that hydrates it, so React, its DOM and jotai are what
 * all entries share: Bun puts them into one chunk, which changes only when they do.
 */
export async function buildIslands(
  root: string,
  assets: AssetFolder,
  minify: boolean,
): Promise<BuiltIslands> {
  const entries = Object.fromEntries(
    (await listIslands(root)).map((name) => [entryPath(root, name), entrySource(name)]),
  )
  const result = await bundle({
    root,
    entrypoints: Object.keys(entries),
    files: entries,
    splitting: true,
    minify,
  })
  refuseServerCode(Object.keys(result.metafile?.inputs ?? {}))
  const built: Pick<BuiltIslands, 'entries' | 'chunks'> = { entries: {}, chunks: {} }
  for (const output of result.outputs) {
    await assets.addNamed(basename(output.path), await output.text())
  }
  for (const [path, output] of Object.entries(result.metafile?.outputs ?? {})) {
    // What an island imports later, when it needs it, is an entry too, but no island.
    if (!output.entryPoint?.includes('islands/.entry/')) continue
    const name = basename(output.entryPoint, '.ts')
    built.entries[name] = basename(path)
    const needed = output.imports.filter(({ kind }) => kind === 'import-statement')
    built.chunks[name] = needed.map((each) => basename(each.path))
  }
  return { ...built, ...codesOf(built), offline: listOffline(built.entries, result.metafile) }
}

/** The entries of the offline islands, and what they import, and what that imports, at once or later. */
function listOffline(entries: Record<string, string>, metafile: Bun.BuildMetafile | undefined): string[] {
  const importsOf = new Map(
    Object.entries(metafile?.outputs ?? {}).map(([path, { imports }]) => [
      basename(path),
      imports.map((each) => basename(each.path)),
    ]),
  )
  const found = new Set<string>()
  const add = (name: string) => {
    if (found.has(name) || !importsOf.has(name)) return
    found.add(name)
    for (const each of importsOf.get(name) ?? []) add(each)
  }
  for (const name of offlineIslands) add(entries[name] ?? '')
  return [...found].sort()
}

/** Characters, not names: a page places many islands, and they need the same files. */
function codesOf({ entries, chunks }: Pick<BuiltIslands, 'entries' | 'chunks'>) {
  const shared = [...new Set(Object.values(chunks).flat())].sort()
  const characterOf = (file: string) => String.fromCharCode(firstCharacter + shared.indexOf(file))
  const codes = Object.entries(entries).map(([name, file]) => {
    return [name, hashOf(file) + (chunks[name] ?? []).map(characterOf).join('')] as const
  })
  return { shared: shared.map(hashOf).join(''), codes: Object.fromEntries(codes) }
}

function hashOf(file: string): string {
  const hash = /-(\w{8})\.js$/.exec(file)?.[1]
  if (hash) return hash
  throw new Error(`${file} has no hash of eight characters: islands/import-island.ts counts on it.`)
}

/** The loader knows the shared files and the islands that it starts by itself; pages name their own. */
export async function buildLoader(
  root: string,
  assets: AssetFolder,
  islands: BuiltIslands,
  files: { analyticsFile: string; signupFile: string },
  minify: boolean,
): Promise<string> {
  const table = {
    shared: islands.shared,
    lazy: Object.fromEntries(lazyIslands.map((name) => [name, islands.codes[name] ?? ''])),
  }
  const result = await bundle({
    root,
    entrypoints: [join(root, 'islands/loader.ts')],
    define: {
      islandFiles: JSON.stringify(table),
      analyticsFile: JSON.stringify(files.analyticsFile),
      signupFile: JSON.stringify(files.signupFile),
    },
    minify,
  })
  const [output] = result.outputs
  if (!output) throw new Error('islands/loader.ts gave no file.')
  return assets.add('loader.js', await output.text())
}

/** The analytics client: no island, and nothing waits for it, so the loader fetches it when there is time. */
export async function buildAnalytics(root: string, assets: AssetFolder, minify: boolean): Promise<string> {
  const result = await bundle({ root, entrypoints: [join(root, 'islands/analytics/start.ts')], minify })
  const [output] = result.outputs
  if (!output) throw new Error('islands/analytics/start.ts gave no file.')
  return assets.add('visits.js', await output.text())
}

/** What sends the beta signup: fetched when somebody does. */
export async function buildSignup(root: string, assets: AssetFolder, minify: boolean): Promise<string> {
  const result = await bundle({ root, entrypoints: [join(root, 'islands/beta-signup.ts')], minify })
  const [output] = result.outputs
  if (!output) throw new Error('islands/beta-signup.ts gave no file.')
  return assets.add('signup.js', await output.text())
}

/** The service worker: src/offline/service-worker.ts puts the files of the build in front of it. */
export async function buildWorker(root: string, assets: AssetFolder, minify: boolean): Promise<string> {
  const result = await bundle({ root, entrypoints: [join(root, 'islands/offline/worker.ts')], minify })
  const [output] = result.outputs
  if (!output) throw new Error('islands/offline/worker.ts gave no file.')
  return assets.add('worker.js', await output.text())
}

/** A file of islands/ is an island when it exports a component by default. */
async function listIslands(root: string): Promise<string[]> {
  const transpiler = new Bun.Transpiler({ loader: 'tsx' })
  const names: string[] = []
  for await (const path of new Bun.Glob('*.tsx').scan(join(root, 'islands'))) {
    if (path.includes('.test.')) continue
    const { exports } = transpiler.scan(await Bun.file(join(root, 'islands', path)).text())
    if (exports.includes('default')) names.push(basename(path, '.tsx'))
  }
  return names.sort()
}

const serverCode =
  /(^|\/)(db|cli)\/|node_modules\/(drizzle-orm|postgres|elysia|@elysiajs)\/|react-dom\/(cjs\/react-dom-)?server/

/** What reads the database or renders on the server must not reach a browser: neither its size nor its secrets. */
function refuseServerCode(inputs: string[]): void {
  const leaked = inputs.filter((path) => serverCode.test(path))
  if (leaked.length === 0) return
  throw new Error(
    `Islands import server code: ${leaked.slice(0, 5).join(', ')}. Import rules, schema or urls instead.`,
  )
}

const entryPath = (root: string, name: string) => join(root, 'islands/.entry', `${name}.ts`)

const entrySource = (name: string) => `import Island from '#islands/${name}'
import { mountIsland } from '#islands/mount-island'
export const mount = (host, props, prefix) => mountIsland(Island, host, props, prefix)`

type BundleOptions = Pick<Bun.BuildConfig, 'files' | 'splitting' | 'define' | 'minify'> & {
  root: string
  entrypoints: string[]
}

async function bundle({ define, ...options }: BundleOptions) {
  const result = await Bun.build({
    ...options,
    target: 'browser',
    // What the loader fetches by its built name.
    external: ['/assets/*'],
    metafile: true,
    naming: { entry: '[name]-[hash].[ext]', chunk: 'shared-[hash].[ext]' },
    jsx: { runtime: 'automatic', development: false },
    define: { 'process.env.NODE_ENV': '"production"', ...define },
    throw: false,
  })
  if (!result.success) throw new Error(`The browser's bundle failed:\n${result.logs.join('\n')}`)
  return result
}
