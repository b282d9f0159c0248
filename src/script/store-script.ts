import { inArray, sql } from 'drizzle-orm'
import type { Database, Executor } from '#db/db'
import { scripts } from '#db/schema'
import { changedSince, type Seen } from '#db/unchanged'
import { recordChange } from '#src/operator/audit'
import { departureText, fitScript } from '#src/script/format/fit-script'
import { parseScript, problemText } from '#src/script/format/parse-script'
import { printScript } from '#src/script/format/print-script'
import type { Script } from '#src/script/format/script'
import { sha256 } from '#src/security/keyed-hash'
import { refusedField } from '#src/shape/invalid-field'
import { findStoredScript, type MadeScript, type StoredScript } from './make-script'
import { requireOpenText } from './open-text'
import { findScript, type ItemText } from './queries'
import { type ScriptMaker, scriptCharactersMax } from './rules'

/**
 * Stores a script that was made for the item's text, and returns the one that is stored afterwards. That is a different
 * one if another was written after the versions in `seen`, usually by an operator.
 */
export async function storeMadeScript(
  db: Database,
  story: ItemText,
  { script, madeBy }: MadeScript,
  seen: Seen,
): Promise<StoredScript> {
  await storeScript(db, { storyId: story.id, text: story.content, ...seen }, script, madeBy)
  return (await findStoredScript(db, story)) ?? { script, madeBy }
}

/**
 * Stores a script that was carried over from another text, with the time of its marks: it is then known what a
 * recording has spoken, and the version remains the one that was read. A script that was written in the meantime stays.
 */
export async function storeCarriedScript(
  db: Database,
  story: ItemText,
  { script, madeBy, updatedAt }: Pick<typeof scripts.$inferSelect, 'script' | 'madeBy' | 'updatedAt'>,
): Promise<void> {
  await db
    .insert(scripts)
    .values({ storyId: story.id, textHash: sha256(story.content), script, madeBy, updatedAt })
    .onConflictDoNothing()
}

/** As text, because the tag of a script that was never stored is not a time. */
const versionOf = sql`to_char(${scripts.updatedAt} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/**
 * Stores a script that `fitScript` has checked against this text. Returns whether it was stored: with `seen`, it does
 * not overwrite any other version.
 */
async function storeScript(
  db: Executor,
  { storyId, text, seen }: { storyId: string; text: string } & Seen,
  script: Script,
  madeBy: ScriptMaker,
): Promise<boolean> {
  const printed = printScript(script)
  const stored = await db
    .insert(scripts)
    .values({ storyId, textHash: sha256(text), script: printed, madeBy })
    .onConflictDoUpdate({
      target: [scripts.storyId, scripts.textHash],
      set: { script: printed, madeBy },
      setWhere: seen && inArray(versionOf, [...seen]),
    })
    .returning({ storyId: scripts.storyId })
  return stored.length > 0
}

/**
 * Replaces the script by an operator's. Throws `not_found`, `changed_since`, and `invalid` with the line and column of
 * a mistake, or of a word that is not the author's.
 */
export async function editScript(
  db: Database,
  storyId: string,
  { source, seen }: { source: string } & Seen,
  by: string,
): Promise<void> {
  const story = await requireOpenText(db, storyId)
  const script = readScript(source, story.content)
  await db.transaction(async (tx) => {
    const before = await findScript(tx, storyId, story.content)
    // A carried-over script has no row for this text, so the statement below cannot compare its version.
    if (before && seen && !seen.includes(before.updatedAt.toISOString())) throw changedSince()
    const isStored = await storeScript(tx, { storyId, text: story.content, seen }, script, 'operator')
    if (!isStored) throw changedSince()
    await recordChange(tx, by, {
      action: 'edit_script',
      subjectType: 'item',
      subjectId: storyId,
      before: before && { script: before.script },
      after: { script: printScript(script) },
    })
  })
}

/** Parses `source` as a script for `text`. Throws `invalid` with the position of a mistake. */
function readScript(source: string, text: string): Script {
  if (source.length > scriptCharactersMax) throw refusedField('script', 'The script is too long.')
  const parsed = parseScript(source)
  if (!parsed.script) throw refusedField('script', problemText(parsed.problem))
  const fitted = fitScript(parsed.script, text)
  if (!fitted.script) throw refusedField('script', departureText(fitted.departure))
  return fitted.script
}
