/**
 * The story itself: paragraphs indented, not spaced. Lines of only stars or dashes are a break in the scene.
 * `data-at` is where a paragraph begins in the text: the voice's place is found by it.
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

/** A paragraph and where it begins, in UTF-16 units of the whole text with its line ends as LF. */
export type Paragraph = { text: string; at: number }

/** Blank lines divide paragraphs; a text without any is divided by its lines. */
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

/** "***", "* * *", "···", "---", "#". */
export function isSceneBreak(paragraph: string): boolean {
  return /^[*·.•~#_–—-](\s*[*·.•~#_–—-])*$/.test(paragraph)
}
