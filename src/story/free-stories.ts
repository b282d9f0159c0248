import { findFreeStoryLimit } from '#src/feature-flag/flags'
import type { RequestContext } from '#src/request/context'
import { countFreeStoriesLeft } from './meter'

/** How many stories the caller may still open for nothing; null where nothing is counted: members and operators. */
export async function findFreeStoriesLeft({ caller, services }: RequestContext): Promise<number | null> {
  if (caller.member || caller.operator) return null
  const limit = await findFreeStoryLimit(services)
  return caller.visitorId ? countFreeStoriesLeft(services.db, caller.visitorId, limit) : limit
}
