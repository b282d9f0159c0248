import { normalizeText } from './normalize'

/** Normalisation of texts from all sources. Browser-safe. */

/** One line: every run of white space is one space. */
export function tidyLine(text: string): string {
  return normalizeText(withoutControls(text), 'NFC').replace(/\s+/g, ' ').trim()
}

/** NFC, LF, no control characters, paragraphs apart by one empty line. */
export function tidyText(text: string): string {
  return normalizeText(withoutControls(text), 'NFC')
    .replace(/\r\n?/g, '\n')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/** "sea, strangers" as a list. */
export function readList(text: string): string[] {
  return text
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean)
}

/** What has a picture. Zero-width spaces, joiners and fillers have none. */
const visible = /[^\s\p{Default_Ignorable_Code_Point}]/u

/**
 * Without control characters and bidirectional overrides; PostgreSQL accepts no NUL at all. Text that nobody can see is
 * none: as a name it would be a link without words.
 */
function withoutControls(text: string): string {
  const tidy = text.replace(/(?![\t\n\r\u0085])\p{Cc}|[\u202a-\u202e\u2066-\u2069\ufeff]/gu, '')
  return visible.test(tidy) ? tidy : ''
}
