import type { Executor } from '#db/db'
import { type DecisionRecord, decide, GuidelineError, type TextSender } from '#src/guideline/decide'
import { type Guidelines, type JudgedText, judge } from '#src/guideline/judge'
import { findGuidelines } from '#src/guideline/queries'
import { recordDecisions } from '#src/guideline/record'
import { invalidField, refusedField } from '#src/shape/invalid-field'
import { contentCharactersMax } from '#src/story/rules'
import { tidyLine, tidyText } from '#src/text/tidy-text'

export type ModeratedText = {
  title: string
  description: string
  excerpt: string
  content: string
  /** A text that the guidelines accepted, with their findings. */
  warnings: string[]
  /** Held for an operator's review. */
  isHeld: boolean
  /** For the audit, to be recorded with the item: `recordDecisions`. */
  decisions: DecisionRecord[]
}
/** With the guidelines that have accepted it: others may hold before it is written (`holdForbidden`). */
export type AdmittedText = ModeratedText & { judgedBy: Guidelines }
export type TextToModerate = JudgedText & { title: string }

/**
 * The moderation gate that every text passes: when it is created, drafted, imported, uploaded, edited, and again before
 * it is spoken. Text is normalised (NFC, LF, no control characters, paragraphs apart by one empty line) and judged by
 * the guidelines. Throws `invalid` for text that is too long for one item, and `guideline_blocked`, which is recorded:
 * so `db` is the database itself, not a transaction that the refusal would roll back.
 */
export async function moderateText(
  db: Executor,
  text: TextToModerate,
  by: TextSender,
): Promise<AdmittedText> {
  const judgedBy = await findGuidelines(db)
  try {
    return { ...(await moderateBy(judgedBy, text, by)), judgedBy }
  } catch (error) {
    if (error instanceof GuidelineError) await recordDecisions(db, error.records)
    throw error
  }
}

/** The same with given rules, for many texts at once. Records nothing. */
export async function moderateBy(
  guidelines: Guidelines,
  text: TextToModerate,
  by: TextSender,
): Promise<ModeratedText> {
  const content = tidyText(text.content ?? '')
  if (content.length > contentCharactersMax)
    throw refusedField(
      'content',
      `The text has ${content.length.toLocaleString('en')} characters; ${contentCharactersMax.toLocaleString('en')} is the most for one item. Cut it into parts.`,
    )
  const tidy = {
    title: tidyLine(text.title),
    description: tidyText(text.description ?? ''),
    excerpt: tidyText(text.excerpt ?? ''),
    content,
  }
  // The schemas refuse a title of white space; this refuses one of other invisible characters too.
  if (text.title && !tidy.title) throw invalidField('title', 'Must not be empty')
  const judged = { ...tidy, tags: text.tags, categories: text.categories }
  return { ...tidy, ...decide(judged, await judge(guidelines, judged), by) }
}
