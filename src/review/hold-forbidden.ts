import type { Transaction } from '#db/db'
import { lockGuidelinesShared } from '#db/guideline-lock'
import type { Guidelines } from '#src/guideline/judge'
import { findGuidelines } from '#src/guideline/queries'
import { listTexts, textsAtOnce } from './library-texts'
import { judgeTexts, recordFound, recordHold } from './scan'

/**
 * Holds the items whose texts the guidelines forbid, and returns their ids. Called at the end of a transaction that
 * restores items, since scans leave out removed ones, or that writes texts which `judgedBy` has accepted; these are
 * judged again only if the guidelines have changed since. So no forbidden text is public between the commit and the
 * next scan.
 */
export async function holdForbidden(
  tx: Transaction,
  ids: readonly string[],
  by: string,
  judgedBy?: Guidelines,
): Promise<string[]> {
  if (ids.length === 0) return []
  const known = judgedBy ?? (await findGuidelines(tx))
  const held = judgedBy ? [] : await holdBy(known, tx, ids, by)
  // Judging takes a millisecond per text. It precedes the lock, so that a change of the guidelines usually waits only
  // for the commit.
  await lockGuidelinesShared(tx)
  const present = await findGuidelines(tx)
  if (present !== known) held.push(...(await holdBy(present, tx, ids, by)))
  await recordHold(tx, { rule: null, by }, held)
  return held
}

async function holdBy(
  guidelines: Guidelines,
  tx: Transaction,
  ids: readonly string[],
  by: string,
): Promise<string[]> {
  const held: string[] = []
  for (let from = 0; from < ids.length; from += textsAtOnce) {
    const items = await listTexts(tx, ids.slice(from, from + textsAtOnce))
    const found = await judgeTexts(guidelines, items)
    const recorded = await recordFound(tx, { guidelines, rule: null, by }, items, found)
    if (recorded !== 'changed') held.push(...recorded.held)
  }
  return held
}
