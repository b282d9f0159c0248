import { asc, eq } from 'drizzle-orm'
import * as t from 'typebox'
import type { Executor } from '#db/db'
import { identities, passkeys } from '#db/schema'
import { providers } from '#src/social/rules'
import { oneOf } from '#src/story/schema'
import { hasPassword } from './account'

/** Everything that opens a member's account. */
export const WaysIn = t.Object({
  hasPassword: t.Boolean(),
  identities: t.Array(
    t.Object({
      provider: oneOf(providers),
      email: t.Union([t.String(), t.Null()]),
      createdAt: t.String(),
    }),
  ),
  passkeys: t.Array(
    t.Object({
      id: t.String(),
      name: t.String({ examples: ['My phone'] }),
      createdAt: t.String(),
      lastUsedAt: t.Union([t.String(), t.Null()]),
    }),
  ),
})
export type WaysIn = t.Static<typeof WaysIn>

export async function listWaysIn(db: Executor, userId: string): Promise<WaysIn> {
  const [isPasswordSet, linked, keys] = await Promise.all([
    hasPassword(db, userId),
    db
      .select({ provider: identities.provider, email: identities.email, createdAt: identities.createdAt })
      .from(identities)
      .where(eq(identities.userId, userId))
      .orderBy(asc(identities.createdAt)),
    db
      .select({
        id: passkeys.id,
        name: passkeys.name,
        createdAt: passkeys.createdAt,
        lastUsedAt: passkeys.lastUsedAt,
      })
      .from(passkeys)
      .where(eq(passkeys.userId, userId))
      .orderBy(asc(passkeys.createdAt)),
  ])
  return {
    hasPassword: isPasswordSet,
    identities: linked.map((each) => ({ ...each, createdAt: each.createdAt.toISOString() })),
    passkeys: keys.map((each) => ({
      ...each,
      createdAt: each.createdAt.toISOString(),
      lastUsedAt: each.lastUsedAt?.toISOString() ?? null,
    })),
  }
}
