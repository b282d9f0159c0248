import type { RequestContext } from './context'

/** One page of a list. A list of changes is not counted. */
type ListPage = { count?: number; isAtLeast?: boolean; nextCursor: string | number | null | undefined }

/**
 * The headers of one page of a list: how many entries the whole list has, and the address of the next page (RFC 8288),
 * which is this page's with another cursor.
 */
export function pageHeaders(
  { request, services }: RequestContext,
  { count, isAtLeast, nextCursor }: ListPage,
): Record<string, string> {
  const { pathname, searchParams } = new URL(request.url)
  const hasNext = nextCursor !== null && nextCursor !== undefined
  if (hasNext) searchParams.set('cursor', String(nextCursor))
  const next = `${services.env.publicUrl}${pathname}?${searchParams}`
  return {
    ...(count !== undefined && { 'x-total-count': String(count) }),
    ...(isAtLeast && { 'x-total-count-relation': 'gte' }),
    ...(hasNext && { link: `<${next}>; rel="next"` }),
  }
}
