/** A line of nothing but signs between two scenes: "***", "— — —", "#". */
export const sceneBreak = /^\s*(?:[*_~#·•–—-]\s*){1,}$/

/** The paragraphs of a text, each with its place; lines that follow each other are one paragraph. */
export function* paragraphsOf(text: string): Generator<{ paragraph: string; at: number }> {
  for (const { 0: paragraph, index } of text.matchAll(/[^\n]+(?:\n(?![^\S\n]*\n)[^\n]+)*/g)) {
    if (paragraph.trim()) yield { paragraph, at: index }
  }
}
