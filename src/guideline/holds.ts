import { asc, inArray, type SQL, sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { contentGuidelines, type DecisionPlace, stories } from '#db/schema'
import type { Status } from '#src/story/rules'
import { type DecisionRecord, hashOf, type TextSender } from './decide'
import { builtInGuidelines, type JudgedText } from './judge'
import { recordDecisions } from './record'
import { holdWords, noRule, type Severity, waitsFor } from './rules'

/** The cause of a held item: a rule with its version, a moderation model, or a review by an operator. */
export type Hold = {
  storyId: string
  ruleId: string
  ruleVersion: number
  severity: Severity
  places: DecisionPlace[]
  /** Hash of the text that matched. */
  textHash: string
}

/**
 * The causes of the held items in `scope` (a condition on `stories`), as rows. They are derived from the decisions: the
 * latest decision of each rule on an item, if it is "held". A rule's decision counts only for the text that was held
 * last. A hold for review by an operator counts whatever the text.
 */
export function holdsWithin(scope: SQL): SQL {
  return sql`
    select story_id, rule_id, rule_version, severity, places, text_hash from (
      select *, first_value(text_hash) over (partition by story_id
        order by (decision = 'held' and is_of_rule) desc, at desc, id desc) as held_hash
      from (
        select distinct on (d.story_id, d.rule_id)
          d.id, d.at, d.story_id, d.rule_id, d.rule_version, d.severity, d.decision, d.places, d.text_hash, is_shared,
          d.rule_id not like 'review:%' and d.rule_id not like 'moderation:%' as is_of_rule
        from guideline_decisions d join stories on stories.id = d.story_id
        where stories.status = 'held' and ${scope}
        order by d.story_id, d.rule_id, d.at desc, d.id desc
      ) last_words
    ) words
    where decision = 'held' and (text_hash = held_hash or not is_of_rule)
      and (rule_id <> ${waitsFor.sharing} or is_shared)`
}

/** Finds the holds of some items, by the item's id. Items that are not held are missing. */
export async function findHolds(db: Executor, ids: readonly string[]): Promise<Map<string, Hold[]>> {
  if (ids.length === 0) return new Map()
  const rows = await db.execute<Hold>(sql`
    select story_id as "storyId", rule_id as "ruleId", rule_version as "ruleVersion", severity, places,
      text_hash as "textHash"
    from (${holdsWithin(inArray(stories.id, [...ids]))}) holds`)
  return Map.groupBy(rows, ({ storyId }) => storyId)
}

/**
 * Whether an item is held for more than its creator's request to share it. If no cause is known: whether it is not
 * shared.
 */
export async function isHeldForItsText(
  db: Executor,
  { id, status, isShared }: { id: string; status: Status; isShared: boolean },
): Promise<boolean> {
  if (status !== 'held') return false
  const holds = (await findHolds(db, [id])).get(id) ?? []
  return holds.length === 0 ? !isShared : holds.some(({ ruleId }) => ruleId !== waitsFor.sharing)
}

/** Condition on `stories`: held by this rule, or without a known cause (`none`). */
export function isHeldBy(ruleId: string): SQL {
  const holds = holdsWithin(sql`true`)
  if (ruleId === noRule)
    return sql`${stories.status} = 'held' and ${stories.id} not in (select story_id from (${holds}) holds)`
  return isAmong(sql`select story_id from (${holds}) holds where rule_id = ${ruleId}`)
}

/** Condition on `stories`: held by this rule alone, with its earlier status recorded. */
export function isHeldByAlone(ruleId: string): SQL {
  return sql`${stories.heldFrom} is not null and ${isAmong(sql`
    select story_id from (${holdsWithin(sql`true`)}) holds group by story_id
    having count(*) = 1 and max(rule_id) = ${ruleId}`)}`
}

/**
 * Condition that an item's id is among the rows of a query, which the array makes PostgreSQL run only once. After a
 * rule has held half of the library, the planner's statistics are outdated, and it would run a subquery for each item:
 * 5,000 took over 30 s (measured).
 */
function isAmong(ids: SQL): SQL {
  return sql`${stories.id} = any(array(${ids}))`
}

/** Condition on `stories`: one of these ids, however many there are. */
export function isAmongIds(ids: readonly string[]): SQL {
  return sql`${stories.id} = any(${`{${ids.join(',')}}`}::uuid[])`
}

/** Lists the ids of the items that match a condition, in order. */
export async function listItemIds(db: Executor, where: SQL): Promise<string[]> {
  const rows = await db.select({ id: stories.id }).from(stories).where(where).orderBy(asc(stories.id))
  return rows.map(({ id }) => id)
}

/**
 * Returns a function that names a hold: by the rule's description, otherwise its first keywords, otherwise the kind of
 * cause.
 */
export async function ruleDescriber(db: Executor): Promise<(ruleId: string) => string> {
  const rows = await db
    .select({
      id: contentGuidelines.id,
      description: contentGuidelines.description,
      keywords: contentGuidelines.keywords,
    })
    .from(contentGuidelines)
  const named = new Map(
    [...rows, ...builtInGuidelines].map(({ id, description, keywords }) => [
      id,
      description || keywords.slice(0, 3).join(', '),
    ]),
  )
  return (ruleId) => named.get(ruleId) ?? holdWords(ruleId)
}

/** The record that holds an item for an operator, whatever the rules find. */
export function holdForOperator(
  text: JudgedText,
  why: keyof typeof waitsFor,
  { actor, source }: TextSender,
): DecisionRecord {
  return {
    actor,
    source,
    ruleId: waitsFor[why],
    ruleVersion: 1,
    severity: 'high',
    decision: 'held',
    places: [],
    textHash: hashOf(text),
  }
}

/**
 * Records that the holds of an item have ended, for items that leave the queue without a decision. Call this in the
 * transaction of the change and before the change, after which the item is no longer held.
 */
export async function endHolds(
  tx: Executor,
  storyId: string,
  by: Pick<TextSender, 'actor' | 'source'>,
): Promise<void> {
  const holds = (await findHolds(tx, [storyId])).get(storyId) ?? []
  await recordDecisions(
    tx,
    holds.map((hold) => ({ ...hold, ...by, decision: 'released' as const })),
  )
}
