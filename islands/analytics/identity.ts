/** Who is at the browser, as the server says: a member's id, or nobody it knows. */
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
 * What is told when it turns out who is there (visitor.md §4): a member is identified; after a member the
 * identity is reset before anybody else is, and nobody is an anonymous visitor. Null: nobody was known before.
 */
export function listTransitions(before: Identity | null, now: Identity): Transition[] {
  if (before?.userId === now.userId && before !== null) return []
  return [...(before?.userId ? [{ event: 'reset' } as const] : []), identify(now.userId)]
}

export function readIdentity(text: string | null): Identity | null {
  if (text === null) return null
  return { userId: text === '' ? null : text }
}
