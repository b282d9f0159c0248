import type { Executor } from '#db/db'
import { type DecisionRecord, decide, GuidelineRefusal, type Sender } from '#src/guideline/decide'
import { type Guidelines, type JudgedText, judge } from '#src/guideline/judge'
import { findGuidelines } from '#src/guideline/queries'
import { recordDecisions } from '#src/guideline/record'
import { Refusal } from '#src/refusal'
import { contentCharactersMax } from './rules'
import { tidyLine, tidyText } from './tidy-text'

export type AdmittedText = {
  title: string
  description: string
  excerpt: string
  content: string
  /** What the guidelines found and let pass. */
  warnings: string[]
  /** Held back until an operator has looked. */
  isHeld: boolean
  /** For the audit, to be recorded with the item: `recordDecisions`. */
  decisions: DecisionRecord[]
}
export type TextToAdmit = JudgedText & { title: string }

/**
 * The one door through which text enters: create, draft, import, upload, edit, and again before it is spoken.
 * Text is brought to one form (NFC, LF, no control characters, paragraphs apart by one empty line) and judged
 * by the guidelines. Throws `invalid` for text that is too long to be one item, and `guideline_blocked`, which
 * is recorded: so `db` is the database itself, not a transaction that the refusal would take back.
 */
export async function admitText(db: Executor, text: TextToAdmit, by: Sender): Promise<AdmittedText> {
  const guidelines = await findGuidelines(db)
  try {
    return admitBy(guidelines, text, by)
  } catch (error) {
    if (error instanceof GuidelineRefusal) await recordDecisions(db, error.records)
    throw error
  }
}

/** The same by rules that are at hand, for many texts at once. Records nothing. */
export function admitBy(guidelines: Guidelines, text: TextToAdmit, by: Sender): AdmittedText {
  const content = tidyText(text.content ?? '')
  if (content.length > contentCharactersMax) {
    const message = `The text has ${content.length.toLocaleString('en')} characters; ${contentCharactersMax.toLocaleString('en')} is the most for one item. Cut it into parts.`
    throw new Refusal('invalid', message, { fields: [{ path: 'content', message }] })
  }
  const tidy = {
    title: tidyLine(text.title),
    description: tidyText(text.description ?? ''),
    excerpt: tidyText(text.excerpt ?? ''),
    content,
  }
  const judged = { ...tidy, tags: text.tags, categories: text.categories }
  return { ...tidy, ...decide(judged, judge(guidelines, judged), by) }
}
