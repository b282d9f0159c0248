import { AppError } from '#src/app-error'
import { checksVersion, type Route } from './route'

/**
 * The entity tag of an answer: `"version/content"`. The version is the `updatedAt` of a versioned resource, by which
 * If-Match compares; the rest is a hash of the body and its encoding, so that 304 is never said of another answer.
 */
export function entityTagOf(body: Uint8Array, encoding: string, { isVersioned }: Route): string {
  const content = `${Bun.hash(body).toString(36)}${encoding === 'identity' ? '' : `-${encoding}`}`
  const version = isVersioned && versionOf(body)
  return version ? `"${version}/${content}"` : `"${content}"`
}

/** Whether the sender of a request has what the tag stands for. */
export function isKnown(request: Request, tag: string): boolean {
  const known = request.headers.get('if-none-match')
  return known !== null && (known.trim() === '*' || tagsOf(known).some((each) => each.text === tag))
}

/**
 * The versions that the sender of a write has seen (If-Match): the part of a tag before its slash, or the `updatedAt`
 * of a list's entry. Undefined where any version may be overwritten. Throws `invalid` where a write checks none.
 */
export function readSeen(request: Request, route: Route): string[] | undefined {
  const header = request.headers.get('if-match')
  if (header === null || request.method === 'GET' || request.method === 'HEAD') return undefined
  if (!checksVersion(route))
    throw new AppError('invalid', 'This call checks no versions. Leave If-Match out.', {
      fields: [{ path: 'If-Match', message: 'Not taken here' }],
    })
  if (header.trim() === '*') return undefined
  return tagsOf(header)
    .filter(({ isWeak }) => !isWeak)
    .map(({ text }) => text.slice(1, -1).split('/')[0] ?? '')
}

function tagsOf(header: string): { text: string; isWeak: boolean }[] {
  return [...header.matchAll(/(W\/)?("[^"]*")/g)].map(([, weak, text = '']) => ({
    text,
    isWeak: weak !== undefined,
  }))
}

function versionOf(body: Uint8Array): string | null {
  const value: unknown = JSON.parse(new TextDecoder().decode(body))
  const isVersioned = typeof value === 'object' && value !== null && 'updatedAt' in value
  return isVersioned && typeof value.updatedAt === 'string' ? value.updatedAt : null
}
