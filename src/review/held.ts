import { and, asc, eq, gte, sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { stories } from '#db/schema'
import { hashOf } from '#src/guideline/decide'
import { findHolds, type Hold, holdsWithin, isHeldBy, ruleDescriber } from '#src/guideline/holds'
import { noRule } from '#src/guideline/rules'
import { cutPage, readCursor, writeCursor } from '#src/shape/list-page'
import { excerptCharactersMax, preview } from '#src/story/rules'
import { inContext } from './in-context'
import { judgedColumns } from './library-texts'
import { heldLimitMax } from './rules'
import type { HeldItem, HoldGroup } from './schema'

type HeldList = { held: HeldItem[]; nextCursor: string | null; total: number }
type HeldFilter = { limit?: number; cursor?: string; ruleId?: string; since?: Date }

/**
 * Lists the items held for an operator, the longest waiting first, with their causes and the matched text. With
 * `ruleId`, only those that this rule holds, alone or among others; with `since`, only those that changed or were held
 * since. `total` counts all pages.
 */
export async function listHeld(
  db: Executor,
  { limit = heldLimitMax, cursor, ruleId, since }: HeldFilter = {},
): Promise<HeldList> {
  const from = cursor === undefined ? null : readCursor(cursor, 'timestamp')
  const heldAt = sql`date_trunc('milliseconds', ${stories.updatedAt})`
  const scope = and(
    eq(stories.status, 'held'),
    ruleId === undefined ? undefined : isHeldBy(ruleId),
    since && gte(stories.updatedAt, since),
  )
  const rows = await db
    .select({ ...judgedColumns, type: stories.type, source: stories.source, isShared: stories.isShared })
    .from(stories)
    .where(
      and(
        scope,
        from ? sql`(${heldAt}, ${stories.id}) > (${from.value}::timestamptz, ${from.id}::uuid)` : undefined,
      ),
    )
    .orderBy(asc(heldAt), asc(stories.id))
    .limit(limit + 1)
  const { page: items, nextCursor } = cutPage(rows, limit, ({ updatedAt, id }) =>
    writeCursor({ value: updatedAt.toISOString(), id }),
  )
  const holds = await findHolds(
    db,
    items.map(({ id }) => id),
  )
  const describe = await ruleDescriber(db)
  const held = items.map((item) => {
    const { description, excerpt, content, tags, status, isOpenToOperators, updatedAt, ...shown } = item
    const findings = (holds.get(item.id) ?? []).map((hold) => ({
      ruleId: hold.ruleId,
      severity: hold.severity,
      decision: 'held' as const,
      description: describe(hold.ruleId),
      places: placesOf(hold, item),
    }))
    return {
      ...shown,
      preview: preview(content, excerptCharactersMax),
      updatedAt: updatedAt.toISOString(),
      findings,
    }
  })
  return { held, nextCursor, total: await db.$count(stories, scope) }
}

/** The places of a hold; none if the text has changed since, because they would be wrong. */
function placesOf({ places, textHash }: Hold, item: Parameters<typeof hashOf>[0]) {
  if (textHash !== hashOf(item)) return []
  return places.map((place) => {
    const { before, match, after } = inContext(item, place)
    return { ...place, text: before + match + after }
  })
}

/**
 * Lists the causes of holds, the most frequent first: how many items each holds, and how many of these it holds alone.
 */
export async function listHoldGroups(db: Executor): Promise<HoldGroup[]> {
  const rows = await db.execute<Omit<HoldGroup, 'description'>>(sql`
    with counted as (
      select *, count(*) over (partition by story_id) as of_item from (${holdsWithin(sql`true`)}) holds)
    select rule_id as "ruleId", (array_agg(severity order by rule_version desc))[1] as severity,
      count(*)::int as held, (count(*) filter (where of_item = 1))::int as alone
    from counted group by 1 order by held desc, 1`)
  const describe = await ruleDescriber(db)
  const without = await db.$count(stories, isHeldBy(noRule))
  return [
    ...rows,
    ...(without > 0 ? [{ ruleId: noRule, severity: 'high' as const, held: without, alone: without }] : []),
  ].map((row) => ({ ...row, description: describe(row.ruleId) }))
}
