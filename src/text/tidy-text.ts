import { normalizeText } from './normalize'

/** Normalization of texts from all sources. Browser-safe. */

/** Normalizes a text to one line: every run of white space becomes one space. */
export function tidyLine(text: string): string {
  return normalizeText(withoutControls(text), 'NFC').replace(/\s+/g, ' ').trim()
}

/** Normalizes a text: NFC, LF, no control characters, one empty line between paragraphs. */
export function tidyText(text: string): string {
  return normalizeText(withoutControls(text), 'NFC')
    .replace(/\r\n?/g, '\n')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/** Parses a list such as "sea, strangers". */
export function readList(text: string): string[] {
  return text
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean)
}

/** Characters that are visible. Zero-width spaces, joiners and fillers are not. */
const visible = /[^\s\p{Default_Ignorable_Code_Point}]/u

/**
 * Removes control characters and bidirectional overrides; PostgreSQL does not accept NUL at all. An invisible text
 * becomes empty: as a name it would be a link without words.
 */
function withoutControls(text: string): string {
  const tidy = text.replace(/(?![\t\n\r\u0085])\p{Cc}|[\u202a-\u202e\u2066-\u2069\ufeff]/gu, '')
  return visible.test(tidy) ? tidy : ''
}
