import { invalidField, refusedField } from '#src/shape/invalid-field'
import { tidyLine } from '#src/text/tidy-text'
import { phraseWords } from './compile'
import type { Guideline } from './judge'
import {
  keywordCharactersMax,
  keywordsMax,
  keywordWordsMax,
  ruleTypeDefault,
  severityDefault,
  stemLettersMin,
} from './rules'
import type { GuidelineDraft } from './schema'

/** Adds defaults to a draft, and trims and deduplicates its keywords. */
export function readRule(draft: RuleFields): WrittenRule {
  const keywords = readPhrases('keywords', draft.keywords)
  if (keywords.length === 0) throw refusedField('keywords', 'Please enter at least one keyword or phrase.')
  return {
    ruleType: draft.ruleType ?? ruleTypeDefault,
    keywords,
    allowed: readPhrases('allowed', draft.allowed ?? []),
    categories: [...new Set(draft.categories ?? [])],
    severity: draft.severity ?? severityDefault,
    description: tidyLine(draft.description ?? ''),
  }
}

/** The fields that operators write, as sent or as stored. */
type RuleFields = Omit<GuidelineDraft, 'categories' | 'isActive'> & { categories?: readonly string[] }

export type WrittenRule = Pick<Guideline, 'ruleType' | 'severity' | 'description'> & {
  keywords: string[]
  allowed: string[]
  categories: string[]
}

function readPhrases(path: string, value: string | readonly string[]): string[] {
  const phrases = [...new Set((typeof value === 'string' ? value.split(',') : value).map(tidyLine))].filter(
    Boolean,
  )
  if (phrases.length > keywordsMax)
    throw invalidField(path, `At most ${keywordsMax} in one rule. Split it into two.`)
  for (const [at, phrase] of phrases.entries()) {
    const problem = problemOf(phrase)
    if (problem) throw invalidField(`${path}[${at}]`, problem)
  }
  return phrases
}

function problemOf(phrase: string): string | null {
  const words = phraseWords(phrase)
  if (phrase.length > keywordCharactersMax) return `At most ${keywordCharactersMax} characters.`
  if (words.length === 0) return `“${phrase}” has no letter or digit, so nothing could match it.`
  if (words.length > keywordWordsMax) return `“${phrase}” has more than ${keywordWordsMax} words.`
  if (phrase.slice(0, -1).includes('*')) return `“${phrase}”: a * may only stand at the end.`
  if (phrase.endsWith('*') && [...(words.at(-1)?.letters ?? '')].length < stemLettersMin)
    return `“${phrase}”: at least ${stemLettersMin} letters have to stand before the *.`
  return null
}
