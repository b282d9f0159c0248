/** A line of nothing but signs between two scenes: "***", "— — —", "#". */
export const sceneBreak = /^\s*(?:[*_~#·•–—-]\s*){1,}$/

/**
 * The longest paragraph in one piece: splitting and marking it takes less than 10 ms, and whoever goes through the
 * paragraphs of a text lets requests run in between. Those of novels have 5,000 characters.
 */
const paragraphCharactersMax = 5_000

/**
 * The paragraphs of a text, each with its place; lines that follow each other are one paragraph. One without end comes
 * in parts, cut where a sentence ends.
 */
export function* paragraphsOf(text: string): Generator<{ paragraph: string; at: number }> {
  for (const { 0: lines, index } of text.matchAll(/[^\n]+(?:\n(?![^\S\n]*\n)[^\n]+)*/g)) {
    for (const { part, at } of partsOf(lines)) {
      if (part.trim()) yield { paragraph: part, at: index + at }
    }
  }
}

/** A text in parts; none is shorter than half of the longest, so that no few words stand alone. */
function* partsOf(text: string): Generator<{ part: string; at: number }> {
  let at = 0
  while (text.length - at > paragraphCharactersMax * 1.5) {
    const part = headOf(text.slice(at, at + paragraphCharactersMax))
    yield { part, at }
    at += part.length
  }
  yield { part: text.slice(at), at }
}

/** Up to the last sentence's end that is no abbreviation's, else the last space, else a whole character. */
const headPatterns = [/^.*\p{Ll}{4}[.!?…][”’"')]*\s+(?=[“‘"'(]?\p{Lu})/su, /^.*\s/s, /^.*[^\ud800-\udbff]/su]

function headOf(text: string): string {
  const heads = headPatterns.map((pattern) => pattern.exec(text)?.[0] ?? '')
  return heads.find(({ length }) => length > text.length / 2) ?? text
}
