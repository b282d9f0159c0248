import { join } from 'node:path'
import {
  type ArrowFunctionExpression,
  type Function as FunctionNode,
  type Node,
  parseSync,
  Visitor,
} from 'oxc-parser'

/**
 * Rejects long functions, and boolean parameters beside others (`biome.json` limits the number of parameters). The
 * returned value of a function does not count if it is markup, a table or a chain of routes; the functions in it are
 * counted on their own. A page that exceeds the second limit should be two components.
 */
const linesMax = 60
const linesWithMarkupMax = 100

type Callable = FunctionNode | ArrowFunctionExpression
type Source = { file: string; text: string }

const root = join(import.meta.dir, '..')
const files = (await Array.fromAsync(new Bun.Glob('{src,islands,cli,db,scripts}/**/*.{ts,tsx}').scan(root)))
  .filter((file) => !/\.test\.|\.e2e\.|(^|[/-])testing|\.d\.ts$/.test(file))
  .sort()
const complaints = (await Promise.all(files.map(checkFile))).flat()
if (complaints.length > 0) {
  console.error(complaints.join('\n'))
  console.error(`${complaints.length} functions are too long or take a flag. Name the second idea.`)
  process.exit(1)
}
console.log(`${files.length} files have short functions, without flags.`)

async function checkFile(file: string): Promise<string[]> {
  const source = { file, text: await Bun.file(join(root, file)).text() }
  const complaints: string[] = []
  const check = (callable: Callable) =>
    complaints.push(...checkLength(source, callable), ...checkFlags(source, callable))
  new Visitor({
    FunctionDeclaration: check,
    FunctionExpression: check,
    ArrowFunctionExpression: check,
  }).visit(parseSync(file, source.text).program)
  return complaints
}

function checkLength({ file, text }: Source, callable: Callable): string[] {
  const lines = countLines(text, callable)
  const returned = findReturned(callable)
  const isChain = returned?.type === 'CallExpression'
  const isMarkup = /^JSX|^(Object|Array)Expression$/.test(returned?.type ?? '')
  const own = returned && (isChain || isMarkup) ? lines - countLines(text, returned) : lines
  if (own <= linesMax && (isChain || lines <= linesWithMarkupMax)) return []
  return [`${placeOf({ file, text }, callable)} has ${own} lines of its own, ${lines} in all.`]
}

/** Finds boolean parameters beside others. If a boolean is the only parameter, the function's name explains it. */
function checkFlags({ file, text }: Source, callable: Callable): string[] {
  if (callable.params.length < 2) return []
  return callable.params.flatMap((parameter) => {
    const named = parameter.type === 'AssignmentPattern' ? parameter.left : parameter
    const hasType =
      'typeAnnotation' in named && named.typeAnnotation?.typeAnnotation.type === 'TSBooleanKeyword'
    const hasDefault =
      parameter.type === 'AssignmentPattern' &&
      parameter.right.type === 'Literal' &&
      typeof parameter.right.value === 'boolean'
    if (!hasType && !hasDefault) return []
    return [
      `${placeOf({ file, text }, callable)} takes a flag: ${text.slice(parameter.start, parameter.end)}.`,
    ]
  })
}

/**
 * Returns the value of the function's last `return`, which hoisted functions may follow, without an `await` around it.
 */
function findReturned({ body }: Callable): Node | null {
  if (body?.type !== 'BlockStatement') return body && unwrap(body)
  const last = body.body.findLast(({ type }) => type !== 'FunctionDeclaration')
  return last?.type === 'ReturnStatement' && last.argument ? unwrap(last.argument) : null
}

function unwrap(node: Node): Node {
  if (node.type === 'ParenthesizedExpression') return unwrap(node.expression)
  if (node.type === 'AwaitExpression') return unwrap(node.argument)
  return node
}

function placeOf({ file, text }: Source, { start, id }: Callable): string {
  return `${file}:${text.slice(0, start).split('\n').length} ${id?.name ?? '(no name)'}`
}

function countLines(text: string, { start, end }: Node): number {
  return text.slice(start, end).split('\n').length
}
