import { and, count, eq } from 'drizzle-orm'
import { newId } from '#db/columns'
import type { Database, Transaction } from '#db/db'
import { lockGuidelinesExclusive } from '#db/guideline-lock'
import { contentGuidelines } from '#db/schema'
import { requireUnchanged, type Seen } from '#db/unchanged'
import { AppError } from '#src/app-error'
import { type PlannedRule, planRule, requireOwnRule, written } from '#src/guideline/plan-rule'
import type { ListedGuideline } from '#src/guideline/queries'
import { guidelinesMax, isMatched } from '#src/guideline/rules'
import type { GuidelineChange, GuidelineDraft } from '#src/guideline/schema'
import { recordChange } from '#src/operator/audit'
import { previewRule } from '#src/review/preview'
import { enqueueScan } from '#src/review/scan'

/** `isConfirmed` means that an operator has seen the preview and confirms it. */
export type Confirmation = { isConfirmed?: boolean }

/**
 * Adds a rule. It applies from the next text on, and the library is scanned with it. Throws `invalid` for keywords that
 * match nothing or half of the dictionary, and `conflict` with a preview for an unconfirmed rule that would hold much
 * of the library.
 */
export function addGuideline(
  db: Database,
  draft: GuidelineDraft,
  by: string,
  confirmation: Confirmation = {},
): Promise<ListedGuideline> {
  return saveRule(db, { ruleId: null, change: draft, by, ...confirmation })
}

/**
 * Changes a rule, or turns it on or off; omitted fields stay. Items that it now finds are held. Items that only it
 * holds and that it no longer finds return to their earlier status. Throws what `addGuideline` does, `built_in` for
 * built-in rules, `not_found`, and `changed_since` if the caller has not seen the present version.
 */
export function changeGuideline(
  db: Database,
  id: string,
  change: GuidelineChange,
  confirmation: Confirmation & Seen & { by: string },
): Promise<ListedGuideline> {
  return saveRule(db, { ruleId: id, change, ...confirmation })
}

/**
 * Deletes a rule; items that only it holds return to their earlier status. Throws `built_in` for built-in rules, and
 * `not_found`.
 */
export async function removeGuideline(db: Database, id: string, by: string): Promise<void> {
  await db.transaction(async (tx) => {
    await lockGuidelinesExclusive(tx)
    const before = written(await requireOwnRule(tx, id))
    await tx.delete(contentGuidelines).where(eq(contentGuidelines.id, id))
    await recordChange(tx, by, { action: 'remove', subjectType: 'guideline', subjectId: id, before })
    await enqueueScan(tx, id, { by })
  })
}

type Save = { ruleId: string | null; change: GuidelineChange; by: string } & Confirmation & Seen

/** Saves a rule after its preview, or with a confirmation. No other function writes rules. */
async function saveRule(
  db: Database,
  { ruleId, change, by, isConfirmed, seen }: Save,
): Promise<ListedGuideline> {
  const rule = await planRule(db, ruleId, change)
  const before = ruleId === null ? null : await requireOwnRule(db, ruleId)
  if (before && isSame(before, rule)) return before
  if (!isConfirmed) await requireQuiet(db, rule)
  const id = ruleId ?? newId()
  await db.transaction(async (tx) => {
    await lockGuidelinesExclusive(tx)
    await requireUnchanged(tx, contentGuidelines, id, { seen })
    if (before) await update(tx, before, rule, by)
    else await insert(tx, id, rule, by)
    if (isMatched(rule) || (before && isMatched(before))) await enqueueScan(tx, id, { by })
  })
  return requireOwnRule(db, id)
}

async function requireQuiet(db: Database, rule: PlannedRule): Promise<void> {
  const preview = await previewRule(db, rule)
  if (!preview.needsConfirmation) return
  throw new AppError('conflict', `${preview.message} Confirm it, or make the rule narrower.`, {
    details: { preview },
  })
}

async function insert(tx: Transaction, id: string, rule: PlannedRule, by: string): Promise<void> {
  const [total] = await tx.select({ count: count() }).from(contentGuidelines)
  if ((total?.count ?? 0) >= guidelinesMax)
    throw new AppError('conflict', `There are ${guidelinesMax} rules already. Remove some first.`)
  await tx.insert(contentGuidelines).values({ id, ...written(rule), isActive: rule.isActive })
  await recordChange(tx, by, { action: 'add', subjectType: 'guideline', subjectId: id, after: written(rule) })
}

async function update(
  tx: Transaction,
  before: ListedGuideline,
  rule: PlannedRule,
  by: string,
): Promise<void> {
  const changed = await tx
    .update(contentGuidelines)
    .set({ ...written(rule), isActive: rule.isActive, version: rule.version })
    .where(and(eq(contentGuidelines.id, before.id), eq(contentGuidelines.version, before.version)))
    .returning({ id: contentGuidelines.id })
  if (changed.length === 0)
    throw new AppError('conflict', 'This rule has changed in the meantime. Check it, then try again.')
  const subject = { subjectType: 'guideline', subjectId: before.id } as const
  if (before.isActive !== rule.isActive)
    await recordChange(tx, by, { action: rule.isActive ? 'activate' : 'deactivate', ...subject })
  if (!isSame({ ...before, isActive: rule.isActive }, rule))
    await recordChange(tx, by, { action: 'edit', ...subject, before: written(before), after: written(rule) })
}

function isSame(one: PlannedRule, other: PlannedRule): boolean {
  return one.isActive === other.isActive && JSON.stringify(written(one)) === JSON.stringify(written(other))
}
