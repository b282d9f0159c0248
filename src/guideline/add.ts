import { count, eq, sql } from 'drizzle-orm'
import { newId } from '#db/columns'
import type { Database } from '#db/db'
import { contentGuidelines } from '#db/schema'
import { recordChange } from '#src/operator/audit'
import { Refusal } from '#src/refusal'
import { tidyLine } from '#src/story/tidy-text'
import { phraseWords } from './compile'
import type { Guideline } from './judge'
import { findGuideline, type ListedGuideline } from './queries'
import {
  guidelinesMax,
  keywordCharactersMax,
  keywordsMax,
  keywordWordsMax,
  ruleTypeDefault,
  severityDefault,
  stemLettersMin,
} from './rules'
import { enqueueScan } from './scan'
import type { GuidelineDraft } from './schema'

/**
 * Adds a rule; from the next text on it holds, and the library is read again by it. Throws `invalid` for
 * keywords that match nothing or half of the dictionary.
 */
export async function addGuideline(
  db: Database,
  draft: GuidelineDraft,
  by: string,
): Promise<ListedGuideline> {
  const rule = readRule(draft)
  const id = newId()
  await db.transaction(async (tx) => {
    const [total] = await tx.select({ count: count() }).from(contentGuidelines)
    if ((total?.count ?? 0) >= guidelinesMax)
      throw new Refusal('conflict', `There are ${guidelinesMax} rules already. Remove some first.`)
    await tx.insert(contentGuidelines).values({ id, ...rule, isActive: draft.isActive ?? true })
    await recordChange(tx, by, { action: 'add', subjectType: 'guideline', subjectId: id, after: rule })
    if ((draft.isActive ?? true) && isMatched(rule)) await enqueueScan(tx, id)
  })
  return requireGuideline(await findGuideline(db, id))
}

/** Turns a rule on or off. Throws `built_in` for those of the program, and `not_found`. */
export async function activateGuideline(
  db: Database,
  id: string,
  { isActive }: { isActive: boolean },
  by: string,
): Promise<ListedGuideline> {
  refuseBuiltIn(id)
  await db.transaction(async (tx) => {
    const before = requireGuideline(await findGuideline(tx, id))
    if (before.isActive === isActive) return
    await tx
      .update(contentGuidelines)
      .set({ isActive, version: sql`${contentGuidelines.version} + 1` })
      .where(eq(contentGuidelines.id, id))
    const action = isActive ? 'activate' : 'deactivate'
    await recordChange(tx, by, { action, subjectType: 'guideline', subjectId: id })
    if (isActive && isMatched(before)) await enqueueScan(tx, id)
  })
  return requireGuideline(await findGuideline(db, id))
}

/** Takes a rule out. Throws `built_in` for those of the program, and `not_found`. */
export async function removeGuideline(db: Database, id: string, by: string): Promise<void> {
  refuseBuiltIn(id)
  await db.transaction(async (tx) => {
    const { ruleType, keywords, allowed, categories, severity, description } = requireGuideline(
      await findGuideline(tx, id),
    )
    await tx.delete(contentGuidelines).where(eq(contentGuidelines.id, id))
    await recordChange(tx, by, {
      action: 'remove',
      subjectType: 'guideline',
      subjectId: id,
      before: { ruleType, keywords, allowed, categories, severity, description },
    })
  })
}

/** The other types are for prompts. */
function isMatched({ ruleType }: Pick<Guideline, 'ruleType'>): boolean {
  return ruleType === 'negative_keywords'
}

function refuseBuiltIn(id: string): void {
  if (id.startsWith('built-in:'))
    throw new Refusal('built_in', 'This rule is part of the program. It can be added to, not removed.')
}

function requireGuideline(rule: ListedGuideline | null): ListedGuideline {
  if (!rule) throw new Refusal('not_found', 'There is no such guideline. It may have been removed.')
  return rule
}

/** A draft with its defaults, its keywords trimmed and each there once (operator.md §5). */
export function readRule(draft: GuidelineDraft): Pick<Guideline, 'ruleType' | 'severity' | 'description'> & {
  keywords: string[]
  allowed: string[]
  categories: string[]
} {
  const keywords = readPhrases('keywords', draft.keywords)
  if (keywords.length === 0)
    throw new Refusal('invalid', 'Please enter at least one keyword or phrase.', {
      fields: [{ path: 'keywords', message: 'Please enter at least one keyword or phrase.' }],
    })
  return {
    ruleType: draft.ruleType ?? ruleTypeDefault,
    keywords,
    allowed: readPhrases('allowed', draft.allowed ?? []),
    categories: [...new Set(draft.categories ?? [])],
    severity: draft.severity ?? severityDefault,
    description: tidyLine(draft.description ?? ''),
  }
}

function readPhrases(path: string, value: string | readonly string[]): string[] {
  const phrases = [...new Set((typeof value === 'string' ? value.split(',') : value).map(tidyLine))].filter(
    Boolean,
  )
  if (phrases.length > keywordsMax) throw invalid(path, `At most ${keywordsMax} in one rule. Make two of it.`)
  for (const [at, phrase] of phrases.entries()) {
    const problem = problemOf(phrase)
    if (problem) throw invalid(`${path}[${at}]`, problem)
  }
  return phrases
}

function problemOf(phrase: string): string | null {
  const words = phraseWords(phrase)
  if (phrase.length > keywordCharactersMax) return `At most ${keywordCharactersMax} characters.`
  if (words.length === 0) return `“${phrase}” has no letter or digit, so nothing could match it.`
  if (words.length > keywordWordsMax) return `“${phrase}” has more than ${keywordWordsMax} words.`
  if (phrase.slice(0, -1).includes('*')) return `“${phrase}”: a * may stand at the end alone.`
  if (phrase.endsWith('*') && [...(words.at(-1) ?? '')].length <= stemLettersMin)
    return `“${phrase}”: at least ${stemLettersMin} letters have to stand before the *.`
  return null
}

function invalid(path: string, message: string): Refusal {
  return new Refusal('invalid', `${path}: ${message}`, { fields: [{ path, message }] })
}
