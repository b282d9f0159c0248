/** Who may open a route: everyone, members, operators. */
export type Access = 'public' | 'member' | 'operator'

export type Route = {
  access: Access
  /** Pages are behind the age gate; other kinds have rules of their own. */
  kind: 'api' | 'page' | 'open'
  body?: 'json' | 'form' | 'stream'
  bodyBytesMax?: number
  /** Values in a JSON body, where it may have more than 10,000. */
  membersMax?: number
  /** Accepts posts from other sites: the handler has to verify that this browser began the exchange. */
  isCrossSite?: true
  /**
   * The page is the same for every visitor (or for every newcomer, who has no visitor's cookie yet), so it is
   * cached in memory for a moment.
   */
  isCached?: 'visitors' | 'newcomers'
  /**
   * Pages of other origins may read the answers, since the address itself is the permission. No cookie, session or
   * bearer token is looked at.
   */
  isForAnyOrigin?: true
  /** Of one resource with an `updatedAt`: its answers carry the version in their ETag, and its writes check If-Match. */
  isVersioned?: true
  /** For everybody, but its answer depends on who asks. */
  isPersonal?: true
  /** A POST that creates: with an Idempotency-Key it is done once, however often it is sent. */
  isIdempotent?: true
}

/** The content type of each kind of body. */
export const contentTypes = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  stream: 'multipart/form-data',
}

/** Whether it is a write that checks If-Match: what a creating call makes has no earlier version. */
export function checksVersion({ isVersioned, isIdempotent, body }: Route): boolean {
  return isVersioned === true && body !== undefined && !isIdempotent
}

/** A route with its line in the table: `POST /api/stories`. */
export type NamedRoute = Route & { name: string }
