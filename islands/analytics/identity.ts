/** The person at the browser, as the server answers: a member's id, or an anonymous visitor. */
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
 * The identity events of a change from the earlier person to the present one: a member is identified; after a member
 * the identity is reset first; without a member it is an anonymous visitor. `null` as the earlier person: none was
 * known.
 */
export function listTransitions(before: Identity | null, now: Identity): Transition[] {
  if (before?.userId === now.userId && before !== null) return []
  return [...(before?.userId ? [{ event: 'reset' } as const] : []), identify(now.userId)]
}

export function readIdentity(text: string | null): Identity | null {
  if (text === null) return null
  return { userId: text === '' ? null : text }
}
