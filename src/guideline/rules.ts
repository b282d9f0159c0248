import { pluralize } from '#src/text/pluralize'

/** Business numbers and closed lists of guidelines. Browser-safe. */

export const ruleTypes = ['negative_keywords', 'positive_keywords', 'content_rules'] as const
export type RuleType = (typeof ruleTypes)[number]

export const severities = ['blocking', 'high', 'medium', 'low'] as const
export type Severity = (typeof severities)[number]

/**
 * The outcome for a text. A rule decides the first three, an operator the next two. `released` ends a hold without a
 * decision on the text: its rule was withdrawn or narrowed, or the item left the queue in another way.
 */
export const decisions = ['refused', 'held', 'warned', 'approved', 'removed', 'released'] as const
export type Decision = (typeof decisions)[number]

/** How a text arrived. */
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
/** A longer phrase would match only exact copies. */
export const keywordWordsMax = 12
export const ruleDescriptionCharactersMax = 500
/** A stem with fewer letters before its `*` would match half of the dictionary. */
export const stemLettersMin = 3

/** The effect of a severity: a blocking rule refuses the text, a high one holds it for review, others warn. */
export function decisionOf(severity: Severity): 'refused' | 'held' | 'warned' {
  if (severity === 'blocking') return 'refused'
  return severity === 'high' ? 'held' : 'warned'
}

/**
 * Whether a rule of this severity holds items that it finds in the library. A blocking rule holds those that were
 * accepted earlier.
 */
export function isHolding(severity: Severity): boolean {
  return decisionOf(severity) !== 'warned'
}

/** Whether a rule is matched against texts. The other types are for prompts. */
export function isMatched({ ruleType }: { ruleType: RuleType }): boolean {
  return ruleType === 'negative_keywords'
}

/** A rule that would hold more items than this needs a confirmation: more than an operator reads in a few minutes. */
export const quietItemsMax = 5
/** Same limit as a share, for small libraries: one item in twenty. */
export const quietShareMax = 0.05
/**
 * Time that an operator waits for a preview. If reading the library takes longer, the result is reported as "at least".
 */
export const previewMs = 5_000
/** Most matches that a preview shows. */
export const previewExamplesMax = 10
/** Characters of context on either side of a match. */
export const contextCharacters = 80

/** Causes of holds other than a rule: reviews by an operator, which stay whatever happens to the rules. */
export const waitsFor = {
  sharing: 'review:sharing',
  import: 'review:import',
} as const
/** Used instead of a rule's id for held items without a recorded cause. */
export const noRule = 'none'

/** Whether the cause of a hold is a rule, an operator's or a built-in one. */
export function isOfRule(ruleId: string): boolean {
  return !ruleId.startsWith('review:') && !ruleId.startsWith('moderation:')
}

/** Describes the cause of a hold that is no rule. */
export function holdWords(ruleId: string): string {
  if (ruleId === waitsFor.sharing) return 'Shared by a member'
  if (ruleId.startsWith('review:')) return 'Held where it came from'
  if (ruleId.startsWith('moderation:'))
    return `The moderation model found: ${ruleId.slice('moderation:'.length)}`
  return ruleId === noRule ? 'Held without a rule' : 'A rule that was removed'
}

/** "79 of 80 items". If not everything was read in time: "at least 79 of the 12,000 items that were read". */
export function shareWords(count: number, { read, total }: { read: number; total: number }): string {
  const number = (value: number) => value.toLocaleString('en')
  if (read >= total) return `${number(count)} of ${pluralize(total, 'item')}`
  return `at least ${number(count)} of the ${number(read)} items that were read in time, of ${number(total)}`
}
