/** allowed · signInNeeded: 403 · missing: no such narration · failed: nobody could say. */
export type Permission = 'allowed' | 'signInNeeded' | 'missing' | 'failed'

/** Asks before play whether premium audio may be heard (visitor.md §7); any other address may be tried. */
export async function checkPermission(src: string): Promise<Permission> {
  if (!new URL(src, location.href).pathname.startsWith('/api/premium-audio/')) return 'allowed'
  try {
    const { ok, status } = await fetch(src, { method: 'HEAD', credentials: 'include' })
    if (ok) return 'allowed'
    if (status === 403) return 'signInNeeded'
    return status === 404 ? 'missing' : 'failed'
  } catch {
    return 'failed'
  }
}
