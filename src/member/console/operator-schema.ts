import * as t from 'typebox'
import { emailCharactersMax, reasonCharactersMax } from '#src/member/rules'
import { oneOf } from '#src/shape/one-of'
import { orNull } from '#src/shape/or-null'

const instant = t.String({ examples: ['2026-11-20T20:15:00.000Z'] })

export const memberStates = ['active', 'suspended'] as const

/** A member as operators see one. */
export const ListedMember = t.Object({
  id: t.String(),
  email: orNull(t.String()),
  firstName: orNull(t.String()),
  lastName: orNull(t.String()),
  oauthProvider: orNull(t.String({ description: 'Who signs them in; null for a password.' })),
  createdAt: instant,
  updatedAt: instant,
  lastSeenAt: orNull(instant),
  suspendedAt: orNull(instant),
  suspensionReason: orNull(t.String({ description: 'What the member is told.' })),
})

export const OpenSession = t.Object({
  id: t.String({ examples: ['9f3c0d2f6b8c1e57'] }),
  device: t.String({ examples: ['Firefox on Linux'] }),
  startedAt: instant,
  lastSeenAt: instant,
  isCurrent: t.Boolean(),
})
export type OpenSession = t.Static<typeof OpenSession>

const amount = t.Integer({ minimum: 0, examples: [3] })

export const MemberDetail = t.Object({
  ...t.Omit(ListedMember, ['lastSeenAt', 'updatedAt']).properties,
  sessions: t.Array(OpenSession),
  counts: t.Object({
    items: amount,
    narrations: amount,
    favorites: amount,
    votes: amount,
    ratings: amount,
    challenges: amount,
    started: t.Integer({ minimum: 0, description: 'Items begun, heard or read.', examples: [12] }),
  }),
})

export const MemberQuery = {
  q: t.Optional(
    t.String({
      maxLength: emailCharactersMax,
      description: 'Beginnings of words of the email or the name, or an id.',
      examples: ['mara'],
    }),
  ),
  state: t.Optional(oneOf(memberStates)),
}

export const Suspension = t.Object({
  reason: t.String({
    minLength: 1,
    maxLength: reasonCharactersMax,
    description: 'The member is told it.',
    examples: ['Several reports of unkind comments.'],
  }),
})

export const DeletionProof = t.Object({
  email: t.String({
    maxLength: emailCharactersMax,
    description: "The member's email, typed to be sure; the id where there is none.",
    examples: ['mara@example.com'],
  }),
})
