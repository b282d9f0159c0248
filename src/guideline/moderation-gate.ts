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
  /** The guidelines' findings in the accepted text. */
  warnings: string[]
  /** Whether it is held for an operator's review. */
  isHeld: boolean
  /** Records for the audit, to be stored with the item by `recordDecisions`. */
  decisions: DecisionRecord[]
}
/**
 * An accepted text, with the guidelines that accepted it: others may apply by the time it is written (`holdForbidden`).
 */
export type AdmittedText = ModeratedText & { judgedBy: Guidelines }
export type TextToModerate = JudgedText & { title: string }

/**
 * The moderation gate that every text passes: when it is created, drafted, imported, uploaded, edited, and again before
 * it is spoken. The text is normalised (NFC, LF, no control characters, one empty line between paragraphs) and judged
 * by the guidelines. Throws `invalid` for text that is too long for one item, and `guideline_blocked`. That refusal is
 * recorded, so `db` has to be the database itself and not a transaction, which would be rolled back.
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

/** Moderates a text by given guidelines, for many texts at once. Records nothing. */
export async function moderateBy(
  guidelines: Guidelines,
  text: TextToModerate,
  by: TextSender,
): Promise<ModeratedText> {
  const content = tidyText(text.content ?? '')
  if (content.length > contentCharactersMax)
    throw refusedField(
      'content',
      `The text has ${content.length.toLocaleString('en')} characters; at most ${contentCharactersMax.toLocaleString('en')} are allowed for one item. Split it into parts.`,
    )
  const tidy = {
    title: tidyLine(text.title),
    description: tidyText(text.description ?? ''),
    excerpt: tidyText(text.excerpt ?? ''),
    content,
  }
  // The schemas refuse a title of white space only; this also refuses one of other invisible characters.
  if (text.title && !tidy.title) throw invalidField('title', 'Must not be empty')
  const judged = { ...tidy, tags: text.tags, categories: text.categories }
  return { ...tidy, ...decide(judged, await judge(guidelines, judged), by) }
}
