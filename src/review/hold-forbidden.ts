import type { Transaction } from '#db/db'
import { keepGuidelines } from '#db/guideline-lock'
import type { Guidelines } from '#src/guideline/judge'
import { findGuidelines } from '#src/guideline/queries'
import { listTexts, textsAtOnce } from './library-texts'
import { judgeTexts, recordFound } from './scan'

/**
 * Holds the items whose texts the guidelines forbid, and returns how many: at the end of a transaction that brings
 * items back, since scans leave out what is removed, or that writes texts which `judgedBy` has accepted: these are
 * judged again only where the guidelines have changed since. So no forbidden text is public between commit and scan.
 */
export async function holdForbidden(
  tx: Transaction,
  ids: readonly string[],
  by: string,
  judgedBy?: Guidelines,
): Promise<number> {
  if (ids.length === 0) return 0
  const known = judgedBy ?? (await findGuidelines(tx))
  const held = judgedBy ? 0 : await holdBy(known, tx, ids, by)
  // Judging takes a millisecond a text: those who change the guidelines wait for the rest of the transaction alone.
  await keepGuidelines(tx)
  const present = await findGuidelines(tx)
  return present === known ? held : held + (await holdBy(present, tx, ids, by))
}

async function holdBy(
  guidelines: Guidelines,
  tx: Transaction,
  ids: readonly string[],
  by: string,
): Promise<number> {
  let held = 0
  for (let from = 0; from < ids.length; from += textsAtOnce) {
    const items = await listTexts(tx, ids.slice(from, from + textsAtOnce))
    const found = await judgeTexts(guidelines, items)
    const recorded = await recordFound(tx, { guidelines, rule: null, by }, items, found)
    if (recorded !== 'changed') held += recorded.held
  }
  return held
}
