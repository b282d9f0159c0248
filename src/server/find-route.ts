import type { NamedRoute } from '#src/http/route'
import { routes } from './routes'

/** The route that players call, with hundreds of range requests. */
export const audioRoute = 'GET /api/premium-audio/:id/:voice'

type Pattern = { segments: string[]; method: string; route: NamedRoute }

/**
 * Routes without a parameter are looked up by name. Others are patterns, tried only if no name fits: first by their
 * length and first two segments (`patterns`), then those with a parameter in one of these segments (`early`).
 */
const named = new Map<string, NamedRoute>()
const paths = new Set<string>()
const patterns = new Map<string, Pattern[]>()
const early: Pattern[] = []
for (const [name, each] of Object.entries(routes)) {
  const route = { ...each, name }
  const [method = '', path = ''] = name.split(' ')
  if (path.includes(':')) addPattern({ method, segments: path.split('/'), route })
  else {
    named.set(name, route)
    paths.add(path)
  }
}

function addPattern(pattern: Pattern): void {
  const [, first = '', second = ''] = pattern.segments
  if (first.startsWith(':') || second.startsWith(':')) return void early.push(pattern)
  const beginning = beginningOf(pattern.segments)
  patterns.set(beginning, [...(patterns.get(beginning) ?? []), pattern])
}

function beginningOf({ length, 1: first, 2: second }: readonly string[]): string {
  return `${length} ${first} ${second}`
}

/**
 * Finds the route of a method and path. HEAD finds the route of GET; so does OPTIONS, if other origins may send a
 * preflight. `isElsewhere`: the path exists under another method. Paths are matched segment by segment and not decoded:
 * `%2f`, `%00`, `//` and a trailing slash match nothing.
 */
export function findRoute(
  method: string,
  pathname: string,
): { route: NamedRoute | null; isElsewhere: boolean } {
  if (method === 'OPTIONS') {
    const asked = findRoute('GET', pathname)
    return asked.route?.isForAnyOrigin
      ? asked
      : { route: null, isElsewhere: asked.route !== null || asked.isElsewhere }
  }
  const lookupMethod = method === 'HEAD' ? 'GET' : method
  const route = named.get(`${lookupMethod} ${pathname}`)
  if (route) return { route, isElsewhere: false }
  if (paths.has(pathname)) return { route: null, isElsewhere: true }
  const segments = pathname.split('/')
  const fit = (pattern: Pattern) => fits(pattern.segments, segments)
  const near = patterns.get(beginningOf(segments))?.filter(fit) ?? []
  const fitting = near.length > 0 ? near : early.filter(fit)
  const found = fitting.find((pattern) => pattern.method === lookupMethod)
  return { route: found?.route ?? null, isElsewhere: !found && fitting.length > 0 }
}

function fits(pattern: readonly string[], segments: readonly string[]): boolean {
  if (pattern.length !== segments.length) return false
  return pattern.every((part, at) => {
    const segment = segments[at] ?? ''
    return part.startsWith(':') ? segment.length > 0 && !/%2f|%00/i.test(segment) : part === segment
  })
}
