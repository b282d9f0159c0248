/** The story itself: paragraphs indented, not spaced. Lines of only stars or dashes are a break in the scene. */
export function StoryText({ text, isReadAlong = false }: { text: string; isReadAlong?: boolean }) {
  return (
    <div className={isReadAlong ? 'story-text is-read-along' : 'story-text'}>
      {splitParagraphs(text).map((paragraph, index) =>
        isSceneBreak(paragraph) ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: a text does not change its order
          <p key={index} className="story-break">
            ···
          </p>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: a text does not change its order
          <p key={index}>{paragraph}</p>
        ),
      )}
    </div>
  )
}

/** Blank lines divide paragraphs; a text without any is divided by its lines. */
export function splitParagraphs(text: string): string[] {
  const unified = text.replace(/\r\n?/g, '\n').trim()
  const divider = /\n[^\S\n]*\n/.test(unified) ? /\n[^\S\n]*\n\s*/ : /\n/
  return unified
    .split(divider)
    .map((paragraph) => paragraph.trim())
    .filter(Boolean)
}

/** "***", "* * *", "···", "---", "#". */
export function isSceneBreak(paragraph: string): boolean {
  return /^[*·.•~#_–—-](\s*[*·.•~#_–—-])*$/.test(paragraph)
}
