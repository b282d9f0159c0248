/** Business numbers and closed lists of guidelines. Browser-safe: no imports. */

export const ruleTypes = ['negative_keywords', 'positive_keywords', 'content_rules'] as const
export type RuleType = (typeof ruleTypes)[number]

export const severities = ['blocking', 'high', 'medium', 'low'] as const
export type Severity = (typeof severities)[number]

/** What became of a text: the first three by a rule, the others by an operator. */
export const decisions = ['refused', 'held', 'warned', 'approved', 'removed'] as const
export type Decision = (typeof decisions)[number]

/** Where a text comes in. */
export const doors = [
  'create',
  'draft',
  'edit',
  'import',
  'narrate',
  'share',
  'feedback',
  'scan',
  'review',
] as const
export type Door = (typeof doors)[number]

export const ruleTypeDefault: RuleType = 'negative_keywords'
export const severityDefault: Severity = 'high'

/** A library that needs more has one rule too many for anybody to know them. */
export const guidelinesMax = 1_000
export const keywordsMax = 200
export const keywordCharactersMax = 100
/** Longer phrases match nothing but themselves. */
export const keywordWordsMax = 12
export const ruleDescriptionCharactersMax = 500
/** A stem of fewer letters before its `*` would be half of the dictionary. */
export const stemLettersMin = 3

/** Blocking refuses, high holds for review, the others warn (product.md §3). */
export function decisionOf(severity: Severity): 'refused' | 'held' | 'warned' {
  if (severity === 'blocking') return 'refused'
  return severity === 'high' ? 'held' : 'warned'
}
