import { and, count, desc, eq, sql } from 'drizzle-orm'
import { newId } from '#db/columns'
import type { Database, Executor } from '#db/db'
import { trainingExamples } from '#db/schema'
import { requireUnchanged, type Seen } from '#db/unchanged'
import { AppError } from '#src/app-error'
import { moderateText } from '#src/guideline/moderation-gate'
import { recordChange } from '#src/operator/audit'
import { isId } from '#src/shape/id'
import { invalidField } from '#src/shape/invalid-field'
import { examplesMax, promptExamplesMax } from './rules'
import type { ExampleDraft, ExampleReview } from './schema'

type Row = typeof trainingExamples.$inferSelect

/** Lists the examples, the newest first. */
export function listExamples(db: Executor, limit = examplesMax): Promise<Row[]> {
  return db
    .select()
    .from(trainingExamples)
    .orderBy(desc(trainingExamples.createdAt), desc(trainingExamples.id))
    .limit(limit)
}

export function countExamples(db: Executor): Promise<number> {
  return db.$count(trainingExamples)
}

/** Stores an example, not yet approved, after its texts have been moderated. Throws `guideline_blocked`, `invalid`. */
export async function addExample(db: Database, draft: ExampleDraft, by: string): Promise<Row> {
  const categories = [...new Set(draft.categories ?? [])]
  const text = await moderateText(
    db,
    { title: '', description: draft.inputPrompt, content: draft.expectedOutput, categories },
    { actor: by, role: 'operator', source: 'draft' },
  )
  // The schema refuses white space; this also refuses other invisible texts.
  for (const [path, words] of [
    ['inputPrompt', text.description],
    ['expectedOutput', text.content],
  ] as const)
    if (!words) throw invalidField(path, 'Must not be empty')
  const id = newId()
  await db.transaction(async (tx) => {
    const [total] = await tx.select({ count: count() }).from(trainingExamples)
    if ((total?.count ?? 0) >= examplesMax)
      throw new AppError('conflict', `There are ${examplesMax} examples already. Remove some first.`)
    await tx.insert(trainingExamples).values({
      id,
      inputPrompt: text.description,
      expectedOutput: text.content,
      categories,
      improvementNotes: draft.improvementNotes?.trim() || null,
    })
    await recordChange(tx, by, {
      action: 'add',
      subjectType: 'example',
      subjectId: id,
      after: { inputPrompt: text.description, categories },
    })
  })
  return requireExample(await findExample(db, id))
}

/**
 * Approves an example, rates it, or records its outcome. Throws `not_found`, and `changed_since` if the caller has not
 * seen the present version.
 */
export async function reviewExample(
  db: Database,
  id: string,
  { seen, ...review }: ExampleReview & Seen,
  by: string,
): Promise<Row> {
  await db.transaction(async (tx) => {
    const before = requireExample(await findExample(tx, id))
    await requireUnchanged(tx, trainingExamples, id, { seen })
    const changed = Object.fromEntries(Object.entries(review).filter(([, value]) => value !== undefined))
    if (Object.keys(changed).length === 0) return
    await tx.update(trainingExamples).set(changed).where(eq(trainingExamples.id, id))
    const isApproval = review.isApproved === true && !before.isApproved
    await recordChange(tx, by, {
      action: isApproval ? 'approve' : 'edit',
      subjectType: 'example',
      subjectId: id,
      before: { isApproved: before.isApproved, qualityRating: before.qualityRating },
      after: { isApproved: review.isApproved, qualityRating: review.qualityRating },
    })
  })
  return requireExample(await findExample(db, id))
}

/** Throws `not_found`. */
export async function removeExample(db: Database, id: string, by: string): Promise<void> {
  await db.transaction(async (tx) => {
    const { inputPrompt, categories, isApproved } = requireExample(await findExample(tx, id))
    await tx.delete(trainingExamples).where(eq(trainingExamples.id, id))
    await recordChange(tx, by, {
      action: 'remove',
      subjectType: 'example',
      subjectId: id,
      before: { inputPrompt, categories, isApproved },
    })
  })
}

/** Selects the examples for a prompt: approved ones, those of the same categories and the best rated first. */
export function promptExamples(
  db: Executor,
  categories: readonly string[],
): Promise<{ inputPrompt: string; expectedOutput: string }[]> {
  const wantedCategories = sql`array[${sql.join(
    ['', ...categories].map((each) => sql`${each}`),
    sql`, `,
  )}]::text[]`
  return db
    .select({ inputPrompt: trainingExamples.inputPrompt, expectedOutput: trainingExamples.expectedOutput })
    .from(trainingExamples)
    .where(
      and(
        eq(trainingExamples.isApproved, true),
        sql`(${trainingExamples.categories} = '{}' or ${trainingExamples.categories} && ${wantedCategories})`,
      ),
    )
    .orderBy(
      sql`(${trainingExamples.categories} && ${wantedCategories}) desc`,
      sql`${trainingExamples.qualityRating} desc nulls last`,
      desc(trainingExamples.createdAt),
    )
    .limit(promptExamplesMax)
}

async function findExample(db: Executor, id: string): Promise<Row | null> {
  if (!isId(id)) return null
  const [row] = await db.select().from(trainingExamples).where(eq(trainingExamples.id, id))
  return row ?? null
}

function requireExample(row: Row | null): Row {
  if (!row) throw new AppError('not_found', 'There is no such example. It may have been removed.')
  return row
}
