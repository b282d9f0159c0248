import { and, eq, ne } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { stories } from '#db/schema'
import { Refusal } from '#src/refusal'
import { isId } from '#src/story/rules'

/** A member's own item that is not removed. Those of others are not there: `not_found`. */
export async function requireOwn(db: Executor, memberId: string, id: string) {
  const [item] = isId(id)
    ? await db
        .select({
          id: stories.id,
          type: stories.type,
          status: stories.status,
          heldFrom: stories.heldFrom,
          title: stories.title,
          description: stories.description,
          excerpt: stories.excerpt,
          content: stories.content,
          tags: stories.tags,
          categories: stories.categories,
          voice: stories.voice,
          narratorFemale: stories.narratorFemale,
          narratorMale: stories.narratorMale,
          isShared: stories.isShared,
        })
        .from(stories)
        .where(and(isOwn(memberId, id), ne(stories.status, 'removed')))
    : []
  if (!item) throw new Refusal('not_found', 'There is no such item. It may have been removed.')
  return item
}
export type OwnItem = Awaited<ReturnType<typeof requireOwn>>

/** Ownership as a part of every query and write. */
export function isOwn(memberId: string, id: string) {
  return and(eq(stories.id, id), eq(stories.userId, memberId), eq(stories.source, 'user_generated'))
}
