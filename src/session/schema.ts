export type SessionKind = 'member' | 'operator'

export type Member = {
  id: string
  email: string | null
  firstName: string | null
  lastName: string | null
  createdAt: Date
  oauthProvider: string | null
}

/** A member, and the session of the request. */
export type SignedIn = { id: string; sid: string | null }
