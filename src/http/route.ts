/** The callers to whom a route is open: everyone, members, operators. */
export type Access = 'public' | 'member' | 'operator'

export type Route = {
  access: Access
  /** Pages are behind the age gate; the other kinds have their own rules. */
  kind: 'api' | 'page' | 'open'
  body?: 'json' | 'form' | 'stream'
  bodyBytesMax?: number
  /** Maximum values in a JSON body, if more than 10,000. */
  membersMax?: number
  /** Accepts posts from other sites: the handler has to verify that this browser began the exchange. */
  isCrossSite?: true
  /**
   * The page is the same for every visitor (or for every newcomer, who has no visitor cookie yet), so the page cache
   * may hold it.
   */
  isCached?: 'visitors' | 'newcomers'
  /**
   * Pages of other origins may read the responses, since knowing the address is the permission. Cookies, sessions and
   * bearer tokens are ignored.
   */
  isForAnyOrigin?: true
  /** The route of one resource with an `updatedAt`: its ETag carries the version, and its writes check If-Match. */
  isVersioned?: true
  /** Everyone may call it, but its response depends on the caller. */
  isPersonal?: true
  /** A POST that creates. Requests with the same Idempotency-Key run it once. */
  isIdempotent?: true
}

/** The content type of each kind of body. */
export const contentTypes = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  stream: 'multipart/form-data',
}

/** Whether the route is a write that checks If-Match. A call that creates has no earlier version to check. */
export function checksVersion({ isVersioned, isIdempotent, body }: Route): boolean {
  return isVersioned === true && body !== undefined && !isIdempotent
}

/** A route with its name in the table, such as `POST /api/stories`. */
export type NamedRoute = Route & { name: string }
