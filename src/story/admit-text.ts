import { Refusal } from '#src/refusal'
import { contentCharactersMax } from './rules'

export type AdmittedText = {
  title: string
  description: string
  excerpt: string
  content: string
  /** What the guidelines found and let pass. */
  warnings: string[]
  /** Held back until an operator has looked. */
  isHeld: boolean
}

/**
 * The one door through which text enters: create, draft, import, upload, edit. Text is brought to one form
 * (NFC, LF, no control characters, paragraphs apart by one empty line); the guidelines hang here.
 * Throws `invalid` for text that is too long to be one item.
 */
export async function admitText(text: {
  title: string
  description?: string
  excerpt?: string
  content?: string
  categories: readonly string[]
}): Promise<AdmittedText> {
  const content = tidyText(text.content ?? '')
  if (content.length > contentCharactersMax) {
    const message = `The text has ${content.length.toLocaleString('en')} characters; ${contentCharactersMax.toLocaleString('en')} is the most for one item. Cut it into parts.`
    throw new Refusal('invalid', message, { fields: [{ path: 'content', message }] })
  }
  return {
    title: tidyLine(text.title),
    description: tidyText(text.description ?? ''),
    excerpt: tidyText(text.excerpt ?? ''),
    content,
    warnings: [],
    isHeld: false,
  }
}

/** One line: every run of white space is one space. */
export function tidyLine(text: string): string {
  return withoutControls(text.normalize('NFC')).replace(/\s+/g, ' ').trim()
}

function tidyText(text: string): string {
  return withoutControls(text.normalize('NFC').replace(/\r\n?/g, '\n'))
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/** Control characters and the marks that turn the direction of a text around; PostgreSQL takes no NUL at all. */
function withoutControls(text: string): string {
  return text.replace(/(?![\t\n\r\u0085])\p{Cc}|[\u202a-\u202e\u2066-\u2069\ufeff]/gu, '')
}
