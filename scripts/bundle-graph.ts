import { basename } from 'node:path'
import { isOfPreact } from '#scripts/preact-for-react'

/** The files of a bundle: the name and entry of each island, and the modules and imports of all files. */
export type Graph = {
  entries: [name: string, file: string][]
  /** The modules that islands import on demand, each with its file. They are entries too, but no islands. */
  onDemand: [path: string, file: string][]
  files: Map<string, { modules: string[]; static: string[]; all: string[] }>
}

export function readGraph(metafile: Bun.BuildMetafile | undefined): Graph {
  const outputs = Object.entries(metafile?.outputs ?? {})
  return {
    entries: outputs.flatMap(([path, { entryPoint }]) =>
      entryPoint?.includes('islands/.entry/') ? [[basename(entryPoint, '.ts'), basename(path)]] : [],
    ),
    onDemand: outputs.flatMap(([path, { entryPoint }]) =>
      entryPoint && !entryPoint.includes('islands/.') ? [[entryPoint, basename(path)]] : [],
    ),
    files: new Map(
      outputs.map(([path, { inputs, imports }]) => {
        const needed = imports.filter(({ kind }) => kind === 'import-statement')
        return [
          basename(path),
          { modules: Object.keys(inputs), static: needed.map(fileOf), all: imports.map(fileOf) },
        ]
      }),
    ),
  }
}

const fileOf = ({ path }: { path: string }) => basename(path)

/**
 * Returns these files and all that they import, recursively: only `static` imports, or `all`, including those on
 * demand.
 */
export function reach({ files }: Graph, from: readonly string[], kind: 'static' | 'all'): string[] {
  const found = new Set<string>()
  const add = (name: string) => {
    const file = files.get(name)
    if (found.has(name) || !file) return
    found.add(name)
    for (const each of file[kind]) add(each)
  }
  for (const name of from) add(name)
  return [...found]
}

/**
 * Modules that many islands share, except React's own: `plain` those that are imported by islands without React,
 * `react` the others. Every island imports them, and so does every module that islands import on demand. Otherwise Bun
 * would split them by the entries that reach each.
 */
export type Common = { plain: string[]; react: string[]; withReact: Set<string>; onDemand: string[] }

export const nothingCommon: Common = { plain: [], react: [], withReact: new Set(), onDemand: [] }

/**
 * With a lower number there are fewer files, and they contain more that an island does not need:
 * docs/decisions/0031-shared-files.md.
 */
const commonIslandsMin = 8

export function findCommon(graph: Graph): Common {
  const reached = ([name, file]: [string, string]) => {
    const modules = reach(graph, [file], 'static').flatMap((each) => graph.files.get(each)?.modules ?? [])
    return { name, modules }
  }
  const islands = graph.entries.map(reached)
  const withReact = new Set(
    [...islands, ...graph.onDemand.map(reached)].flatMap(({ name, modules }) =>
      modules.some(isOfPreact) ? name : [],
    ),
  )
  const users = Map.groupBy(
    islands.flatMap(({ name, modules }) => modules.map((path) => ({ name, path }))),
    ({ path }) => path,
  )
  const common = [...users].filter(([path, names]) => names.length >= commonIslandsMin && !isOfPreact(path))
  const { plain = [], react = [] } = Object.groupBy(common, ([, names]) =>
    names.every(({ name }) => withReact.has(name)) ? 'react' : 'plain',
  )
  const pathsOf = (list: typeof common) => list.map(([path]) => path).sort()
  const onDemand = graph.onDemand.map(([path]) => path)
  return { plain: pathsOf(plain), react: pathsOf(react), withReact, onDemand }
}
