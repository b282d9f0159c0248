/** The person at the browser according to the server: a member's id, or null for an anonymous visitor. */
export type Identity = { userId: string | null }
export type Transition =
  | { event: 'identify'; userId: string | null; isAnonymous: boolean }
  | { event: 'reset' }

const identify = (userId: string | null): Transition => ({
  event: 'identify',
  userId,
  isAnonymous: userId === null,
})

/**
 * Returns the identity events for a change of person. A member is identified; after a member the identity is reset
 * first; without a member the person is an anonymous visitor. `before` is null if no earlier person is known.
 */
export function listTransitions(before: Identity | null, now: Identity): Transition[] {
  if (before?.userId === now.userId && before !== null) return []
  return [...(before?.userId ? [{ event: 'reset' } as const] : []), identify(now.userId)]
}

export function readIdentity(text: string | null): Identity | null {
  if (text === null) return null
  return { userId: text === '' ? null : text }
}
