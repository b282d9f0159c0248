import { basename, join } from 'node:path'
import { offlineIslands } from '#islands/offline/island-names'
import { firstCharacter } from '#islands/runtime/island-code'
import { lazyIslands } from '#islands/runtime/lazy-island-names'
import type { AssetFolder } from '#scripts/asset-folder'

export type BuiltIslands = {
  entries: Record<string, string>
  /** The shared files that each imports. */
  chunks: Record<string, string[]>
  /** The hashes of all shared files, one behind the other. */
  shared: string
  /** An island's name → its own file's hash, and a character for each shared file that it needs. */
  codes: Record<string, string>
  /** Every file that the islands of the page without a network may import. */
  offline: string[]
}

export type BuildTarget = { root: string; assets: AssetFolder; minify: boolean }

/**
 * Bundles every island. Each gets an entry of its own that hydrates it, so all entries share React, its DOM and
 * jotai: Bun puts them into one chunk, which changes only when they do.
 */
export async function buildIslands({ root, assets, minify }: BuildTarget): Promise<BuiltIslands> {
  const entries = Object.fromEntries(
    (await listIslands(root)).map((file) => [entryPath(root, nameOf(file.path)), entrySource(file)]),
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
    // A module that an island imports on demand is an entry too, but no island.
    if (!output.entryPoint?.includes('islands/.entry/')) continue
    const name = basename(output.entryPoint, '.ts')
    built.entries[name] = basename(path)
    const needed = output.imports.filter(({ kind }) => kind === 'import-statement')
    built.chunks[name] = needed.map((each) => basename(each.path))
  }
  return { ...built, ...codesOf(built), offline: listOffline(built.entries, result.metafile) }
}

/** The entries of the offline islands and their imports, recursively, static or dynamic. */
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
  throw new Error(`${file} has no hash of eight characters: islands/runtime/import-island.ts counts on it.`)
}

/** The loader knows the shared files and the islands that it starts by itself; pages name their own. */
export function buildLoader(
  target: BuildTarget,
  islands: BuiltIslands,
  files: { analyticsFile: string; signupFile: string },
): Promise<string> {
  const table = {
    shared: islands.shared,
    lazy: Object.fromEntries(lazyIslands.map((name) => [name, islands.codes[name] ?? ''])),
  }
  return buildScript(target, 'runtime/loader.ts', 'loader.js', {
    islandFiles: JSON.stringify(table),
    analyticsFile: JSON.stringify(files.analyticsFile),
    signupFile: JSON.stringify(files.signupFile),
  })
}

/** The analytics client: no island, and not urgent, so the loader fetches it when the page is idle. */
export function buildAnalytics(target: BuildTarget): Promise<string> {
  return buildScript(target, 'analytics/start.ts', 'visits.js')
}

/** The sender of the beta signup: loaded on demand. */
export function buildSignup(target: BuildTarget): Promise<string> {
  return buildScript(target, 'site/beta-signup.ts', 'signup.js')
}

/** The service worker: src/offline/service-worker.ts puts the files of the build in front of it. */
export function buildWorker(target: BuildTarget): Promise<string> {
  return buildScript(target, 'offline/worker.ts', 'worker.js')
}

/** One file by itself, with all its imports; returns its name among the assets. */
async function buildScript(
  { root, assets, minify }: BuildTarget,
  path: string,
  name: string,
  define?: Record<string, string>,
): Promise<string> {
  const result = await bundle({ root, entrypoints: [join(root, 'islands', path)], minify, define })
  const [output] = result.outputs
  if (!output) throw new Error(`islands/${path} gave no file.`)
  return assets.add(name, await output.text())
}

/** `hasReact`: the file exports a component by default; else it exports `mount`. */
type IslandFile = { path: string; hasReact: boolean }

/** The files below islands/ that export a component by default, or `mount`: each is an island, named by its file. */
async function listIslands(root: string): Promise<IslandFile[]> {
  const found = new Map<string, IslandFile>()
  for await (const path of new Bun.Glob('**/*.{ts,tsx}').scan(join(root, 'islands'))) {
    if (path.includes('.test.') || path.startsWith('.entry/')) continue
    const loader = path.endsWith('x') ? 'tsx' : 'ts'
    const { exports } = new Bun.Transpiler({ loader }).scan(
      await Bun.file(join(root, 'islands', path)).text(),
    )
    const hasReact = loader === 'tsx' && exports.includes('default')
    if (!hasReact && !exports.includes('mount')) continue
    const name = nameOf(path)
    const other = found.get(name)
    if (other) throw new Error(`islands/${other.path} and islands/${path} have one name. Rename one of them.`)
    found.set(name, { path, hasReact })
  }
  return [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
}

const nameOf = (path: string) => basename(path).replace(/\.tsx?$/, '')

const serverCode =
  /(^|\/)(db|cli)\/|node_modules\/(drizzle-orm|postgres|elysia|@elysiajs)\/|react-dom\/(cjs\/react-dom-)?server/

/**
 * Modules that read the database or render on the server must not reach a browser: neither their size nor their
 * secrets.
 */
function refuseServerCode(inputs: string[]): void {
  const leaked = inputs.filter((path) => serverCode.test(path))
  if (leaked.length === 0) return
  throw new Error(
    `Islands import server code: ${leaked.slice(0, 5).join(', ')}. Import rules, schema or urls instead.`,
  )
}

const entryPath = (root: string, name: string) => join(root, 'islands/.entry', `${name}.ts`)

function entrySource({ path, hasReact }: IslandFile): string {
  const file = `#islands/${path.replace(/\.tsx?$/, '')}`
  return hasReact
    ? `import Island from '${file}'
import { mountIsland } from '#islands/runtime/mount-island'
export const mount = (host, props, prefix) => mountIsland(Island, host, props, prefix)`
    : `import { mount as start } from '${file}'
import { markHydrated } from '#islands/runtime/mark-hydrated'
export const mount = (host, props) => { const stop = start(host, props); markHydrated(host); return stop }`
}

type BundleOptions = Pick<Bun.BuildConfig, 'files' | 'splitting' | 'define' | 'minify'> & {
  root: string
  entrypoints: string[]
}

async function bundle({ define, ...options }: BundleOptions) {
  const result = await Bun.build({
    ...options,
    target: 'browser',
    // The files that the loader fetches by their built names.
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
