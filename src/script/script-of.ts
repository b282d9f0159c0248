import type { Executor } from '#db/db'
import { printScript } from '#src/script/format/print-script'
import { enhanceText } from './enhance'
import { findScript, type ItemText } from './queries'

/** The script of an item: the stored one of its current text, otherwise the output of the built-in enhancer. */
export async function scriptOf(db: Executor, story: ItemText) {
  const stored = await findScript(db, story.id, story.content)
  return {
    text: story.content,
    script: stored?.script ?? printScript(await enhanceText(story.content, story.type)),
    madeBy: stored?.madeBy ?? 'built-in',
    isKept: stored !== null,
    updatedAt: stored?.updatedAt.toISOString() ?? null,
  }
}
