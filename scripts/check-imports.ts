import { dirname, join } from 'node:path'
import { browserFloor, floors } from '#scripts/floors'

/** Rejects imports from a lower floor to a higher one, and files that import each other in a circle. */
const root = join(import.meta.dir, '..')
const isTest = (file: string) => /\.test\.|\.e2e\.|(^|[/-])testing/.test(file)

type Import = { from: string; to: string; isType: boolean }

const files = (await Array.fromAsync(new Bun.Glob('{src,islands,cli,db,scripts}/**/*.{ts,tsx}').scan(root)))
  .filter((file) => !isTest(file) && !file.endsWith('.d.ts'))
  .sort()
const known = new Set(files)
const imports = (await Promise.all(files.map(listImports))).flat()
const complaints = [...findUpward(imports), ...findCircles(imports)]
if (complaints.length > 0) {
  console.error(complaints.join('\n'))
  console.error(
    `${complaints.length} imports do not fit scripts/floors.ts. Move the rule down, or the caller up.`,
  )
  process.exit(1)
}
console.log(`${files.length} files stand on ${floors.length} floors, without a circle.`)

async function listImports(from: string): Promise<Import[]> {
  const source = await Bun.file(join(root, from)).text()
  const found = source.matchAll(
    /(?:^import\s+(type\s)?[^;'"]*?|^export [^;'"]*? from\s+|import\()\s*(?:from\s+)?'([#.][^']+)'/gm,
  )
  return [...found].flatMap(([, type, specifier = '']) => {
    const to = resolve(from, specifier)
    return to ? [{ from, to, isType: type !== undefined }] : []
  })
}

function resolve(from: string, specifier: string): string | undefined {
  const path = specifier.startsWith('#') ? specifier.slice(1) : join(dirname(from), specifier)
  return [path, `${path}.ts`, `${path}.tsx`].find((each) => known.has(each))
}

function findUpward(all: readonly Import[]): string[] {
  const browser = floors.findIndex(({ name }) => name === browserFloor)
  const firstNoun = floors.findIndex(({ name }) => name === 'request') + 1
  return all.flatMap(({ from, to, isType }) => {
    const [lower, higher] = [floorOf(from), floorOf(to)]
    if (lower < higher) return [`${from} (${nameOf(lower)}) imports ${to} (${nameOf(higher)})`]
    const isServerCode = !to.startsWith('src/ui/') && higher > 0 && higher < browser
    if (from.startsWith('islands/') && isServerCode && !(isType && higher >= firstNoun))
      return [`${from} runs in the browser and imports ${to} (${nameOf(higher)})`]
    return []
  })
}

function floorOf(file: string): number {
  const floor = floors.findIndex(({ files: patterns }) =>
    patterns.some((each) => new Bun.Glob(each).match(file)),
  )
  if (floor < 0) throw new Error(`${file} stands on no floor. Give it one in scripts/floors.ts.`)
  return floor
}

function nameOf(floor: number): string {
  return floors[floor]?.name ?? ''
}

/** Finds every circle once, with Tarjan's algorithm for strongly connected components. */
function findCircles(all: readonly Import[]): string[] {
  const next = Map.groupBy(all, ({ from }) => from)
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const circles: string[] = []
  const visit = (file: string): number => {
    const own = index.size
    let lowest = own
    index.set(file, own)
    stack.push(file)
    for (const { to } of next.get(file) ?? []) {
      if (!index.has(to)) lowest = Math.min(lowest, visit(to))
      else if (stack.includes(to)) lowest = Math.min(lowest, index.get(to) ?? own)
    }
    low.set(file, lowest)
    if (lowest === own) {
      const circle = stack.splice(stack.indexOf(file))
      if (circle.length > 1) circles.push(`circle: ${circle.join(' → ')}`)
    }
    return lowest
  }
  for (const file of files) if (!index.has(file)) visit(file)
  return circles
}
