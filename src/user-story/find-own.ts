import { and, eq, ne } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { stories } from '#db/schema'
import { AppError } from '#src/app-error'
import { isId } from '#src/story/rules'

/** A member's own item that is not removed. Those of others are `not_found`. */
export async function requireUserStory(db: Executor, memberId: string, id: string) {
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
  if (!item) throw new AppError('not_found', 'There is no such item. It may have been removed.')
  return item
}
export type OwnItem = Awaited<ReturnType<typeof requireUserStory>>

/** Ownership as a part of every query and write. */
export function isOwn(memberId: string, id: string) {
  return and(eq(stories.id, id), eq(stories.userId, memberId), eq(stories.source, 'user_generated'))
}
