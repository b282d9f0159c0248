import type { RequestContext } from './context'

/** One page of a list. A list of changes has no count. */
type ListPage = { count?: number; isAtLeast?: boolean; nextCursor: string | number | null | undefined }

/**
 * The headers of one page of a list: the number of entries in the whole list, and the address of the next page (RFC
 * 8288), which is this page's address with another cursor.
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
