import type { Transaction } from '#db/db'
import { keepGuidelines } from '#db/guideline-lock'
import type { Guidelines } from '#src/guideline/judge'
import { findGuidelines } from '#src/guideline/queries'
import { listTexts, textsAtOnce } from './library-texts'
import { judgeTexts, recordFound, recordHold } from './scan'

/**
 * Holds the items whose texts the guidelines forbid, and returns their ids: at the end of a transaction that brings
 * items back, since scans leave out what is removed, or that writes texts which `judgedBy` has accepted: these are
 * judged again only where the guidelines have changed since. So no forbidden text is public between commit and scan.
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
  // Judging takes a millisecond a text: as a rule those who change the guidelines wait for the commit alone.
  await keepGuidelines(tx)
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
