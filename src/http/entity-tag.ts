import { AppError } from '#src/app-error'
import { checksVersion, type Route } from './route'

/**
 * The entity tag of a response: `"version/content"`. The version is the `updatedAt` of a versioned resource, which
 * If-Match is compared with. The rest is a hash of the body and its encoding, so that a 304 never stands for a
 * different response.
 */
export function entityTagOf(body: Uint8Array, encoding: string, { isVersioned }: Route): string {
  const content = `${Bun.hash(body).toString(36)}${encoding === 'identity' ? '' : `-${encoding}`}`
  const version = isVersioned && versionOf(body)
  return version ? `"${version}/${content}"` : `"${content}"`
}

/** Whether If-None-Match has this tag: the client's copy is current. */
export function isKnown(request: Request, tag: string): boolean {
  const known = request.headers.get('if-none-match')
  return known !== null && (known.trim() === '*' || tagsOf(known).some((each) => each.text === tag))
}

/**
 * The versions in a write's If-Match header: the part of a tag before its slash, or the `updatedAt` of a list's entry.
 * Undefined if the write may overwrite any version. Throws `invalid` if the route checks no versions.
 */
export function readSeen(request: Request, route: Route): string[] | undefined {
  const header = request.headers.get('if-match')
  if (header === null || request.method === 'GET' || request.method === 'HEAD') return undefined
  if (!checksVersion(route))
    throw new AppError('invalid', 'This call does not check versions. Leave out If-Match.', {
      fields: [{ path: 'If-Match', message: 'Not accepted here' }],
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
