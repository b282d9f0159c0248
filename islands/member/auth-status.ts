import { api } from '#islands/runtime/api'
import type { CurrentUser } from '#src/member/schema'

/** How long the answer is cached. Each page load asks again. */
const cachedMs = 5 * 60_000

let cached: { user: Promise<CurrentUser | null>; until: number } | null = null

/** Returns the signed-in member, or null for a visitor. Fetched once in five minutes, even if the request fails. */
export function currentUser(): Promise<CurrentUser | null> {
  if (!cached || cached.until <= Date.now()) {
    cached = { user: api('GET /api/auth/user'), until: Date.now() + cachedMs }
  }
  return cached.user
}

/**
 * Whether nobody is signed in on a page that was rendered for a visitor. The server is asked again, because the person
 * may have signed in in another tab. Returns false if that fails.
 */
export async function isStillVisitor(): Promise<boolean> {
  if (document.body.dataset.visitor === undefined) return false
  forgetAuthStatus()
  return (await currentUser().catch(() => undefined)) === null
}

/** Clears the cached answer after a sign-in or sign-out. */
export function forgetAuthStatus(): void {
  cached = null
}
