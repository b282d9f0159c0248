import { basename, isAbsolute, join } from 'node:path'
import { offlineIslands } from '#islands/offline/island-names'
import { firstCharacter } from '#islands/runtime/island-code'
import { lazyIslands } from '#islands/runtime/lazy-island-names'
import type { AssetFolder } from '#scripts/asset-folder'
import { type Common, findCommon, nothingCommon, reach, readGraph } from '#scripts/bundle-graph'

export type BuiltIslands = {
  entries: Record<string, string>
  /** The shared files that each needs, also by way of others. */
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
 * Bundles every island. Each gets an entry of its own that hydrates it. Bun makes a file of what the same entries
 * import, which would be a hundred files of a hundred bytes: so what many islands share is imported by all, and is one
 * file, with another of what needs React. React itself is apart, in files that change only when it does.
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
  // Nobody loads React's own entry.
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

/** An entry of its own keeps React out of the file of what needs it. */
const reactSource = `import 'react'; import 'react/jsx-runtime'; import 'react-dom/client'`

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

/** The sources of the entries by their paths. */
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

/** The sources of what islands import on demand by their paths, in place of what stands there. */
async function onDemandFiles(root: string, common: Common): Promise<Record<string, string>> {
  const files = common.onDemand.map(async (path) => {
    const file = join(root, path)
    return [file, importsOfCommon(root, common, path) + (await Bun.file(file).text())] as const
  })
  return Object.fromEntries(await Promise.all(files))
}

/**
 * Imports of the common modules, for an island by its name, or for a module that is imported on demand by its path.
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
