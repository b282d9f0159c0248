export type SessionKind = 'member' | 'operator'

export type Member = {
  id: string
  email: string | null
  firstName: string | null
  lastName: string | null
  createdAt: Date
  oauthProvider: string | null
}
