import type { Executor } from '#db/db'
import { enhanceText } from './enhance'
import { printScript } from './print-script'
import { findScript, type ItemText } from './queries'

/** The script of an item: the one that is kept for its text, else what the built-in enhancer would make. */
export async function scriptOf(db: Executor, story: ItemText) {
  const kept = await findScript(db, story.id, story.content)
  return {
    text: story.content,
    script: kept?.script ?? printScript(enhanceText(story.content, story.type)),
    madeBy: kept?.madeBy ?? 'built-in',
    isKept: kept !== null,
    updatedAt: kept?.updatedAt.toISOString() ?? null,
  }
}
