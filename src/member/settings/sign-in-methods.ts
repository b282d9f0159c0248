import { asc, eq } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { identities, passkeys } from '#db/schema'
import { hasPassword } from './account'
import type { SignInMethods } from './sign-in-methods-schema'

export async function listSignInMethods(db: Executor, userId: string): Promise<SignInMethods> {
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
