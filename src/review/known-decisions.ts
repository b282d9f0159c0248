import { inArray } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { guidelineDecisions } from '#db/schema'
import { type DecisionRecord, hashOf } from '#src/guideline/decide'
import type { Finding, JudgedText } from '#src/guideline/judge'
import type { Decision } from '#src/guideline/rules'

export type KnownDecision = Pick<DecisionRecord, 'ruleId' | 'ruleVersion' | 'decision' | 'places'>

/** Finds the decisions on the present texts of some items, by item id. */
export async function findKnownDecisions(
  db: Executor,
  items: readonly (JudgedText & { id: string })[],
): Promise<Map<string, KnownDecision[]>> {
  if (items.length === 0) return new Map()
  const hashes = new Map(items.map((item) => [item.id, hashOf(item)]))
  const rows = await db
    .select({
      storyId: guidelineDecisions.storyId,
      ruleId: guidelineDecisions.ruleId,
      ruleVersion: guidelineDecisions.ruleVersion,
      decision: guidelineDecisions.decision,
      places: guidelineDecisions.places,
      textHash: guidelineDecisions.textHash,
    })
    .from(guidelineDecisions)
    .where(inArray(guidelineDecisions.storyId, [...hashes.keys()]))
  return Map.groupBy(
    rows.filter(({ storyId, textHash }) => storyId !== null && hashes.get(storyId) === textHash),
    ({ storyId }) => storyId ?? '',
  )
}

/**
 * Whether an operator has approved what a rule finds in a text: for the same version of the rule or, if the rule has
 * changed, at every one of the places.
 */
export function isApproved({ rule, places }: Finding, known: readonly KnownDecision[] = []): boolean {
  return known.some(
    (each) =>
      each.decision === 'approved' &&
      each.ruleId === rule.id &&
      (each.ruleVersion === rule.version || places.every((place) => isAmong(each.places, place))),
  )
}

function isAmong(
  places: KnownDecision['places'],
  { field, start, end }: KnownDecision['places'][number],
): boolean {
  return places.some((each) => each.field === field && each.start === start && each.end === end)
}

/** Whether one of these decisions was already made on the text for this version of the rule. */
export function isKnown(
  { rule }: Finding,
  known: readonly KnownDecision[] = [],
  decisions: readonly Decision[],
): boolean {
  return known.some(
    (each) =>
      each.ruleId === rule.id && each.ruleVersion === rule.version && decisions.includes(each.decision),
  )
}
