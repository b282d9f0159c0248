import type { Parts } from '#src/parts'
import { enhanceText } from './enhance'
import { enhanceWithModel } from './enhance-with-model'
import { parseScript } from './parse-script'
import { findScript, type ItemText } from './queries'
import type { ScriptMaker } from './rules'
import type { Script } from './script'

export type MadeScript = {
  script: Script
  madeBy: ScriptMaker
  /** Why the built-in enhancer made it though a model is configured; null where that is no matter. */
  note: string | null
}

/** Makes the script of a text: by the configured model, else by the built-in enhancer. */
export async function makeScript(
  parts: Pick<Parts, 'db' | 'env' | 'secrets'>,
  story: ItemText,
  signal: AbortSignal,
): Promise<MadeScript> {
  const byModel = await enhanceWithModel(parts, story, signal)
  return byModel ?? { script: enhanceText(story.content, story.type), madeBy: 'built-in', note: null }
}

/** The script that is kept for the item's text, or null. */
export async function keptScript(
  db: Parts['db'],
  story: ItemText,
): Promise<{ script: Script; madeBy: ScriptMaker } | null> {
  const kept = await findScript(db, story.id, story.content)
  const script = kept && parseScript(kept.script).script
  return script ? { script, madeBy: kept.madeBy } : null
}
