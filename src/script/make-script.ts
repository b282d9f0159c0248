import { parseScript } from '#src/script/format/parse-script'
import type { Script } from '#src/script/format/script'
import type { Services } from '#src/services'
import { enhanceText } from './enhance'
import { enhanceWithModel } from './enhance-with-model'
import { findScript, type ItemText } from './queries'
import type { ScriptMaker } from './rules'

export type MadeScript = {
  script: Script
  madeBy: ScriptMaker
  /** Why the built-in enhancer made the script although a model is configured. Otherwise null. */
  note: string | null
}

/** Makes the script of a text: with the configured model, otherwise with the built-in enhancer. */
export async function makeScript(
  services: Pick<Services, 'db' | 'env' | 'secrets'>,
  story: ItemText,
  signal: AbortSignal,
): Promise<MadeScript> {
  const byModel = await enhanceWithModel(services, story, signal)
  return byModel ?? { script: await enhanceText(story.content, story.type), madeBy: 'built-in', note: null }
}

export type StoredScript = Pick<MadeScript, 'script' | 'madeBy'>

/** Finds the stored script of the item's current text, or null. */
export async function findStoredScript(db: Services['db'], story: ItemText): Promise<StoredScript | null> {
  const stored = await findScript(db, story.id, story.content)
  const script = stored && parseScript(stored.script).script
  return script ? { script, madeBy: stored.madeBy } : null
}
