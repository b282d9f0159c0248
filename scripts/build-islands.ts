import { basename, isAbsolute, join } from 'node:path'
import { offlineIslands } from '#islands/offline/island-names'
import { firstCharacter } from '#islands/runtime/island-code'
import { lazyIslands } from '#islands/runtime/lazy-island-names'
import type { AssetFolder } from '#scripts/asset-folder'
import { type Common, findCommon, nothingCommon, reach, readGraph } from '#scripts/bundle-graph'
import { preactForReact } from '#scripts/preact-for-react'

export type BuiltIslands = {
  entries: Record<string, string>
  /** The shared files that each needs, directly or through others. */
  chunks: Record<string, string[]>
  /** The hashes of all shared files, concatenated. */
  shared: string
  /** By island: the hash of its own file, followed by one character for each shared file that it needs. */
  codes: Record<string, string>
  /** Every file that the islands of the offline page may import. */
  offline: string[]
}

export type BuildTarget = { root: string; assets: AssetFolder; minify: boolean }

/**
 * Bundles every island, each with an entry of its own that hydrates it. Bun creates a shared file for each set of
 * entries that imports the same modules, which would be a hundred files of a hundred bytes. So modules that many
 * islands share are imported by all of them, and end up in one file, with another for those that need React. React,
 * which is Preact here, is in a separate file, which changes only when Preact does.
 */
export async function buildIslands({ root, assets, minify }: BuildTarget): Promise<BuiltIslands> {
  const islands = await listIslands(root)
  const bundleWith = async (common: Common) => {
    const entries = { ...entryFiles(root, islands, common), [join(root, 'islands/.react.ts')]: reactSource }
    const files = { ...entries, ...(await onDemandFiles(root, common)) }
    const result = await bundle({ root, entrypoints: Object.keys(entries), files, splitting: true, minify })
    return { result, graph: readGraph(result.metafile) }
  }
  const common = findCommon((await bundleWith(nothingCommon)).graph)
  const { result, graph } = await bundleWith(common)
  const inputs = Object.keys(result.metafile?.inputs ?? {})
  refuseServerCode(inputs)
  refuseForeignPaths(inputs)
  const entries = Object.fromEntries(graph.entries)
  // The entry of React is never loaded.
  const used = new Set(reach(graph, Object.values(entries), 'all'))
  for (const output of result.outputs)
    if (used.has(basename(output.path))) await assets.addNamed(basename(output.path), await output.text())
  const chunks = Object.fromEntries(
    graph.entries.map(([name, file]) => [name, reach(graph, [file], 'static').slice(1)]),
  )
  const offline = reach(
    graph,
    offlineIslands.flatMap((name) => entries[name] ?? []),
    'all',
  ).sort()
  return { entries, chunks, ...codesOf({ entries, chunks }), offline }
}

/** An entry of its own keeps React out of the file with the modules that need it. */
const reactSource = `import 'react'; import 'react/jsx-runtime'; import 'react-dom/client'`

/**
 * Encodes the shared files of each island as characters instead of names, because a page contains many islands that
 * need the same files.
 */
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

/**
 * Builds the loader. It contains the codes of the shared files and of the islands that it starts by itself; pages
 * contain those of their own islands.
 */
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

/** Builds the analytics client. It is no island and not urgent, so the loader fetches it when the page is idle. */
export function buildAnalytics(target: BuildTarget): Promise<string> {
  return buildScript(target, 'analytics/start.ts', 'visits.js')
}

/** Builds the sender of the beta signup, which is loaded on demand. */
export function buildSignup(target: BuildTarget): Promise<string> {
  return buildScript(target, 'site/beta-signup.ts', 'signup.js')
}

/** Builds the service worker. src/offline/service-worker.ts prepends the list of the build's files. */
export function buildWorker(target: BuildTarget): Promise<string> {
  return buildScript(target, 'offline/worker.ts', 'worker.js')
}

/** Bundles one file with all its imports. Returns its name among the assets. */
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

/** `hasReact`: the file has a default export, a component. Otherwise it exports `mount`. */
type IslandFile = { path: string; hasReact: boolean }

/**
 * Lists the islands: the files below islands/ that export a component by default, or `mount`. An island has the name of
 * its file.
 */
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
 * Throws if islands import modules that read the database or render on the server. Neither their size nor their secrets
 * may reach a browser.
 */
function refuseServerCode(inputs: string[]): void {
  const leaked = inputs.filter((path) => serverCode.test(path))
  if (leaked.length === 0) return
  throw new Error(
    `Islands import server code: ${leaked.slice(0, 5).join(', ')}. Import rules, schema or urls instead.`,
  )
}

/**
 * The paths of modules are part of the hashes in file names. All of them must be relative to the project's folder, or
 * two copies of the project in different folders would name the same files differently.
 */
function refuseForeignPaths(inputs: string[]): void {
  const foreign = inputs.filter((path) => isAbsolute(path) || path.startsWith('..'))
  if (foreign.length > 0)
    throw new Error(
      `The build must run in the project's folder and stay in it: ${foreign.slice(0, 5).join(', ')}.`,
    )
}

/** Returns the sources of the entries by their paths. */
function entryFiles(root: string, islands: readonly IslandFile[], common: Common): Record<string, string> {
  return Object.fromEntries(
    islands.map((island) => {
      const name = nameOf(island.path)
      return [
        join(root, 'islands/.entry', `${name}.ts`),
        importsOfCommon(root, common, name) + entrySource(island),
      ]
    }),
  )
}

/** Returns modified sources of the modules that islands import on demand, by path. They replace the files on disk. */
async function onDemandFiles(root: string, common: Common): Promise<Record<string, string>> {
  const files = common.onDemand.map(async (path) => {
    const file = join(root, path)
    return [file, importsOfCommon(root, common, path) + (await Bun.file(file).text())] as const
  })
  return Object.fromEntries(await Promise.all(files))
}

/**
 * Returns imports of the common modules, for an island by its name, or for a module imported on demand by its path.
 * They have no extension: with one, Bun gives a module of `files` its absolute path (`refuseForeignPaths`).
 */
function importsOfCommon(root: string, { plain, react, withReact }: Common, name: string): string {
  return [...plain, ...(withReact.has(name) ? react : [])]
    .filter((path) => path !== name)
    .map((path) => `import '${join(root, path.replace(/\.tsx?$/, ''))}'\n`)
    .join('')
}

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
    plugins: [preactForReact],
    // Files that the loader fetches by their built names.
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
