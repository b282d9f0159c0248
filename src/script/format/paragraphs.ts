/** A line of nothing but signs that separates two scenes: "***", "— — —", "#". */
export const sceneBreak = /^\s*(?:[*_~#·•–—-]\s*){1,}$/

/**
 * Length above which a paragraph is divided. Splitting and marking this much takes less than 10 ms, and code that loops
 * over paragraphs yields to other requests in between. Paragraphs of novels have up to 5,000 characters.
 */
const paragraphCharactersMax = 5_000

/**
 * Yields the paragraphs of a text with their positions. Consecutive lines are one paragraph. A very long paragraph is
 * yielded in parts, cut at the ends of sentences.
 */
export function* paragraphsOf(text: string): Generator<{ paragraph: string; at: number }> {
  for (const { 0: lines, index } of text.matchAll(/[^\n]+(?:\n(?![^\S\n]*\n)[^\n]+)*/g)) {
    for (const { part, at } of partsOf(lines)) {
      if (part.trim()) yield { paragraph: part, at: index + at }
    }
  }
}

/** Cuts a text into parts. None is shorter than half of the maximum, so that no few words are left alone. */
function* partsOf(text: string): Generator<{ part: string; at: number }> {
  let at = 0
  while (text.length - at > paragraphCharactersMax * 1.5) {
    const part = headOf(text.slice(at, at + paragraphCharactersMax))
    yield { part, at }
    at += part.length
  }
  yield { part: text.slice(at), at }
}

/**
 * Preferred places to cut: the last end of a sentence that is no abbreviation, otherwise the last white space,
 * otherwise between two whole characters.
 */
const headPatterns = [/^.*\p{Ll}{4}[.!?…][”’"')]*\s+(?=[“‘"'(]?\p{Lu})/su, /^.*\s/s, /^.*[^\ud800-\udbff]/su]

function headOf(text: string): string {
  const heads = headPatterns.map((pattern) => pattern.exec(text)?.[0] ?? '')
  return heads.find(({ length }) => length > text.length / 2) ?? text
}
