import { pluralize } from '#src/text/pluralize'

/** Business numbers and closed lists of guidelines. Browser-safe. */

export const ruleTypes = ['negative_keywords', 'positive_keywords', 'content_rules'] as const
export type RuleType = (typeof ruleTypes)[number]

export const severities = ['blocking', 'high', 'medium', 'low'] as const
export type Severity = (typeof severities)[number]

/**
 * The outcome for a text: the first three by a rule, the next two by an operator. `released` ends a hold without a
 * decision on the text: its rule was withdrawn or narrowed, or the item left the queue by another way.
 */
export const decisions = ['refused', 'held', 'warned', 'approved', 'removed', 'released'] as const
export type Decision = (typeof decisions)[number]

/** The source of a text. */
const textSources = [
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
export type TextSource = (typeof textSources)[number]

export const ruleTypeDefault: RuleType = 'negative_keywords'
export const severityDefault: Severity = 'high'

/** More rules than any operator can review. */
export const guidelinesMax = 1_000
export const keywordsMax = 200
export const keywordCharactersMax = 100
/** Longer phrases match only exact copies. */
export const keywordWordsMax = 12
export const ruleDescriptionCharactersMax = 500
/** A stem of fewer letters before its `*` would match half of the dictionary. */
export const stemLettersMin = 3

/** The effect of a severity: a blocking rule refuses the text, a high one holds it for review, the others warn. */
export function decisionOf(severity: Severity): 'refused' | 'held' | 'warned' {
  if (severity === 'blocking') return 'refused'
  return severity === 'high' ? 'held' : 'warned'
}

/**
 * Whether a rule of this severity holds items that it finds in the library: a blocking rule holds items that were
 * accepted before.
 */
export function isHolding(severity: Severity): boolean {
  return decisionOf(severity) !== 'warned'
}

/** Whether texts are matched by a rule: the other types are for prompts. */
export function isMatched({ ruleType }: { ruleType: RuleType }): boolean {
  return ruleType === 'negative_keywords'
}

/** A rule that would hold more items than an operator reads in a few minutes needs a confirmation. */
export const quietItemsMax = 5
/** The same for small libraries: one item in twenty. */
export const quietShareMax = 0.05
/** An operator waits for a preview: a library that takes longer to read is reported as "at least". */
export const previewMs = 5_000
/** Places that a preview shows, at most. */
export const previewExamplesMax = 10
/** Characters of context on either side of a place. */
export const contextCharacters = 80

/** Causes of holds other than a rule: a review by an operator, whatever becomes of the rules. */
export const waitsFor = {
  sharing: 'review:sharing',
  import: 'review:import',
} as const
/** In place of a rule's id: held items without a recorded cause. */
export const noRule = 'none'

/** Whether a hold's cause is a rule, of the operators or built in. */
export function isOfRule(ruleId: string): boolean {
  return !ruleId.startsWith('review:') && !ruleId.startsWith('moderation:')
}

/** The cause of a hold in words, where it is no rule. */
export function holdWords(ruleId: string): string {
  if (ruleId === waitsFor.sharing) return 'Shared by a member'
  if (ruleId.startsWith('review:')) return 'Held where it came from'
  if (ruleId.startsWith('moderation:'))
    return `The moderation model found: ${ruleId.slice('moderation:'.length)}`
  return ruleId === noRule ? 'Held without a rule' : 'A rule that was removed'
}

/** "79 of 80 items"; where not all was read in time, "at least 79 of the 12,000 items that were read". */
export function shareWords(count: number, { read, total }: { read: number; total: number }): string {
  const number = (value: number) => value.toLocaleString('en')
  if (read >= total) return `${number(count)} of ${pluralize(total, 'item')}`
  return `at least ${number(count)} of the ${number(read)} items that were read in time, of ${number(total)}`
}
