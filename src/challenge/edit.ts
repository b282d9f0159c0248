import { eq, inArray, sql } from 'drizzle-orm'
import { newId } from '#db/columns'
import type { Database, Executor } from '#db/db'
import { challengeFlows, challenges, stories } from '#db/schema'
import { requireUnchanged, type Seen } from '#db/unchanged'
import { moderateText } from '#src/guideline/moderation-gate'
import { recordChange } from '#src/operator/audit'
import { isId } from '#src/shape/id'
import { refusedField } from '#src/shape/invalid-field'
import { recountCompletion } from './enrol'
import { findChallenge, missingChallenge } from './queries'
import type { Challenge, ChallengeDraft } from './schema'

/** Creates a challenge: a draft, unless it is to be published at once. Throws `invalid` for an unknown item. */
export async function createChallenge(db: Database, given: ChallengeDraft, by: string): Promise<Challenge> {
  const draft = await admit(db, given, by)
  const id = newId()
  await db.transaction(async (tx) => {
    await tx.insert(challenges).values({ id, name: draft.name, totalDays: draft.items.length })
    await write(tx, id, draft, null)
    await recordChange(tx, by, {
      action: 'create',
      subjectType: 'challenge',
      subjectId: id,
      after: summaryOf(await requireAny(tx, id)),
    })
  })
  return requireAny(db, id)
}

/**
 * Edits a challenge for everyone in it; completed days stay completed. Throws `not_found`, `invalid`, and
 * `changed_since` if the caller has not seen the present version.
 */
export async function editChallenge(
  db: Database,
  id: string,
  { seen, ...given }: ChallengeDraft & Seen,
  by: string,
): Promise<Challenge> {
  const draft = await admit(db, given, by)
  await db.transaction(async (tx) => {
    await requireUnchanged(tx, challenges, id, { seen })
    const before = await requireAny(tx, id)
    const [row] = await tx.select().from(challenges).where(eq(challenges.id, id)).for('update')
    await write(tx, id, draft, row?.publishedAt ?? null)
    if (row?.totalDays !== draft.items.length) await recountCompletion(tx, id, draft.items.length)
    await recordChange(tx, by, {
      action: 'edit',
      subjectType: 'challenge',
      subjectId: id,
      before: summaryOf(before),
      after: summaryOf(await requireAny(tx, id)),
    })
  })
  return requireAny(db, id)
}

/** Deletes a challenge, with its members' progress. Throws `not_found`. */
export async function removeChallenge(db: Database, id: string, by: string): Promise<void> {
  await db.transaction(async (tx) => {
    const before = await requireAny(tx, id)
    await tx.delete(challenges).where(eq(challenges.id, id))
    await recordChange(tx, by, {
      action: 'remove',
      subjectType: 'challenge',
      subjectId: id,
      before: { ...summaryOf(before), items: before.days.map((day) => day.id) },
    })
  })
}

/** Moderates the name and the description, like every submitted text. Throws `guideline_blocked`. */
async function admit(db: Database, draft: ChallengeDraft, by: string): Promise<ChallengeDraft> {
  const { title, description } = await moderateText(
    db,
    { title: draft.name, description: draft.description ?? '', content: '', categories: [] },
    { actor: by, role: 'operator', source: 'create' },
  )
  return { ...draft, name: title, description }
}

async function write(
  tx: Executor,
  id: string,
  { items, isPublished = false, ...texts }: ChallengeDraft,
  publishedAt: Date | null,
): Promise<void> {
  await requireItems(tx, id, items)
  if (isPublished && items.length === 0)
    throw refusedField('items', 'A challenge needs a flow before it is published.')
  await tx
    .update(challenges)
    .set({
      ...texts,
      totalDays: items.length,
      publishedAt: isPublished ? (publishedAt ?? new Date()) : null,
    })
    .where(eq(challenges.id, id))
  await tx.delete(challengeFlows).where(eq(challengeFlows.challengeId, id))
  if (items.length === 0) return
  await tx
    .insert(challengeFlows)
    .values(items.map((storyId, at) => ({ challengeId: id, day: at + 1, storyId })))
}

/** Throws unless each item is in the library, or was when it was added to this challenge. */
async function requireItems(tx: Executor, challengeId: string, items: readonly string[]): Promise<void> {
  const wrong = items.findIndex((id) => !isId(id))
  const known =
    wrong >= 0 || items.length === 0
      ? []
      : await tx
          .select({
            id: stories.id,
            isGood: sql<boolean>`source = 'pre_uploaded' and (status <> 'removed' or exists (
              select from challenge_flows where challenge_id = ${challengeId} and story_id = stories.id))`,
          })
          .from(stories)
          .where(inArray(stories.id, [...items]))
  const good = new Set(known.filter(({ isGood }) => isGood).map((row) => row.id))
  const at = wrong >= 0 ? wrong : items.findIndex((id) => !good.has(id.toLowerCase()))
  if (at >= 0) throw refusedField(`items/${at}`, `Day ${at + 1} names no item of the library.`)
}

async function requireAny(db: Executor, id: string): Promise<Challenge> {
  const challenge = await findChallenge(db, id)
  if (!challenge) throw missingChallenge()
  return challenge
}

function summaryOf({ name, totalDays, isPublished, days }: Challenge) {
  return { name, totalDays, isPublished, days: days.map(({ title }) => title) }
}
