/**
 * The text of a story, in indented paragraphs without spacing. A line of only stars or dashes is a scene break.
 * `data-at` is the position of a paragraph in the text, by which the words that the voice speaks are found.
 */
export function StoryText({ text }: { text: string }) {
  return (
    <div className="story-text">
      {listParagraphs(text).map(({ text: paragraph, at }) =>
        isSceneBreak(paragraph) ? (
          <p key={at} className="story-break">
            ···
          </p>
        ) : (
          <p key={at} data-at={at}>
            {paragraph}
          </p>
        ),
      )}
    </div>
  )
}

/** A paragraph and its position, in UTF-16 units of the whole text with line ends as LF. */
export type Paragraph = { text: string; at: number }

/** Splits a text at blank lines or, if it has none, at every line end. */
export function listParagraphs(text: string): Paragraph[] {
  const unified = text.replace(/\r\n?/g, '\n')
  const divider = /\n[^\S\n]*\n/.test(unified.trim()) ? /\n[^\S\n]*\n/g : /\n/g
  const ends = [...unified.matchAll(divider)].map(({ 0: found, index }) => ({ index, length: found.length }))
  let from = 0
  return [...ends, { index: unified.length, length: 0 }].flatMap(({ index, length }) => {
    const written = unified.slice(from, index)
    const at = from + written.length - written.trimStart().length
    from = index + length
    return written.trim() ? [{ text: written.trim(), at }] : []
  })
}

/** Whether a paragraph consists only of signs: "***", "* * *", "···", "---", "#". */
export function isSceneBreak(paragraph: string): boolean {
  return /^[*·.•~#_–—-](\s*[*·.•~#_–—-])*$/.test(paragraph)
}
