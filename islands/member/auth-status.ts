import { api } from '#islands/runtime/api'
import type { CurrentUser } from '#src/member/schema'

/** The answer may be five minutes old; each page load asks again. */
const cachedMs = 5 * 60_000

let cached: { user: Promise<CurrentUser | null>; until: number } | null = null

/** The signed-in member, null for a visitor. Fetched once in five minutes, never a second time after a failure. */
export function currentUser(): Promise<CurrentUser | null> {
  if (!cached || cached.until <= Date.now()) {
    cached = { user: api('GET /api/auth/user'), until: Date.now() + cachedMs }
  }
  return cached.user
}

/**
 * Whether nobody is signed in at a page that was made for a visitor; asked anew, since another tab may have signed in
 * meanwhile. False where that is unknown.
 */
export async function isStillVisitor(): Promise<boolean> {
  if (document.body.dataset.visitor === undefined) return false
  forgetAuthStatus()
  return (await currentUser().catch(() => undefined)) === null
}

/** Drops the cached answer after a sign-in or sign-out. */
export function forgetAuthStatus(): void {
  cached = null
}
