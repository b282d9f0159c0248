import { basename } from 'node:path'

/** A bundle's files: each island's name and entry, and of all files their modules and imports. */
export type Graph = {
  entries: [name: string, file: string][]
  files: Map<string, { modules: string[]; static: string[]; all: string[] }>
}

export function readGraph(metafile: Bun.BuildMetafile | undefined): Graph {
  const outputs = Object.entries(metafile?.outputs ?? {})
  return {
    // A module that an island imports on demand is an entry too, but no island.
    entries: outputs.flatMap(([path, { entryPoint }]) =>
      entryPoint?.includes('islands/.entry/') ? [[basename(entryPoint, '.ts'), basename(path)]] : [],
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

/** These files and what they import, recursively: `static` imports alone, or `all`, also those on demand. */
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

/** Modules of ours that many islands share: those that one without React imports, and the others. */
export type Common = { plain: string[]; react: string[]; withReact: Set<string> }

export const nothingCommon: Common = { plain: [], react: [], withReact: new Set() }

/** With fewer the files are fewer, and hold more that an island does not need: docs/decisions/0031-shared-files.md. */
const commonIslandsMin = 8

export function findCommon(graph: Graph): Common {
  const modulesOf = new Map(
    graph.entries.map(([name, file]) => [
      name,
      reach(graph, [file], 'static').flatMap((each) => graph.files.get(each)?.modules ?? []),
    ]),
  )
  const withReact = new Set(
    [...modulesOf].flatMap(([name, modules]) => (modules.some(isOfReact) ? name : [])),
  )
  const users = Map.groupBy(
    [...modulesOf].flatMap(([name, modules]) => modules.map((path) => ({ name, path }))),
    ({ path }) => path,
  )
  const common = [...users].filter(
    ([path, names]) => names.length >= commonIslandsMin && !path.includes('node_modules/'),
  )
  const { plain = [], react = [] } = Object.groupBy(common, ([, names]) =>
    names.every(({ name }) => withReact.has(name)) ? 'react' : 'plain',
  )
  const pathsOf = (list: typeof common) => list.map(([path]) => path).sort()
  return { plain: pathsOf(plain), react: pathsOf(react), withReact }
}

const isOfReact = (path: string) => path.includes('node_modules/react-dom/')
