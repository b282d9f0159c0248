import { sql } from 'drizzle-orm'
import type { Database, Executor } from '#db/db'
import { scripts } from '#db/schema'
import { sha256 } from '#src/keyed-hash'
import { recordChange } from '#src/operator/audit'
import { Refusal } from '#src/refusal'
import { departureText, fitScript } from './fit-script'
import { parseScript, problemText } from './parse-script'
import { printScript } from './print-script'
import { findScript, findText } from './queries'
import { type ScriptMaker, scriptCharactersMax } from './rules'
import type { Script } from './script'

/** Keeps the script of a text. The script has to be one of this text: `fitScript` has seen it. */
export async function keepScript(
  db: Executor,
  storyId: string,
  text: string,
  script: Script,
  madeBy: ScriptMaker,
): Promise<void> {
  const printed = printScript(script)
  await db
    .insert(scripts)
    .values({ storyId, textHash: sha256(text), script: printed, madeBy })
    .onConflictDoUpdate({
      target: [scripts.storyId, scripts.textHash],
      set: { script: printed, madeBy, updatedAt: sql`now()` },
    })
}

/**
 * An operator's script takes the place of what was there. Throws `not_found`, and `invalid` with the line and
 * column of a mistake, or of a word that is not the author's.
 */
export async function editScript(db: Database, storyId: string, source: string, by: string): Promise<void> {
  const story = await findText(db, storyId)
  if (!story) throw new Refusal('not_found', 'There is no such item. It may have been removed.')
  const script = readScript(source, story.content)
  await db.transaction(async (tx) => {
    const before = await findScript(tx, storyId, story.content)
    await keepScript(tx, storyId, story.content, script, 'operator')
    await recordChange(tx, by, {
      action: 'edit_script',
      subjectType: 'item',
      subjectId: storyId,
      before: before && { script: before.script },
      after: { script: printScript(script) },
    })
  })
}

/** The script that `source` writes for `text`. Throws `invalid` with the place of a mistake. */
export function readScript(source: string, text: string): Script {
  if (source.length > scriptCharactersMax) throw invalid('The script is too long.')
  const parsed = parseScript(source)
  if (!parsed.script) throw invalid(problemText(parsed.problem))
  const fitted = fitScript(parsed.script, text)
  if (!fitted.script) throw invalid(departureText(fitted.departure))
  return fitted.script
}

function invalid(message: string): Refusal {
  return new Refusal('invalid', message, { fields: [{ path: 'script', message }] })
}
