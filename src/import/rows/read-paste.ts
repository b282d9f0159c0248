/** One line of pasted rows; `line` counts every line of the paste, from 1. Browser-safe. */
export type PastedLine = { line: number; title: string; category: string; tags: string; story: string }

/**
 * Reads lines that are split on tabs or pipes and trimmed: Name, Category, Tags, Story. Lines with fewer than four
 * columns are skipped and counted. A first line of headings is no story.
 */
export function readPaste(text: string): { lines: PastedLine[]; skipped: number } {
  const lines: PastedLine[] = []
  let skipped = 0
  for (const [at, line] of text.split(/\r\n?|\n/).entries()) {
    if (!line.trim()) continue
    const separator = line.includes('\t') ? '\t' : '|'
    const columns = line.split(separator).map((cell) => cell.trim())
    const [title = '', category = '', tags = '', ...story] = columns
    if (columns.length < 4) skipped += 1
    else if (!isHeading(columns))
      lines.push({
        line: at + 1,
        title,
        category,
        tags,
        story: story.join(separator === '\t' ? '\t' : ' | '),
      })
  }
  return { lines, skipped }
}

function isHeading([title = '', category = '']: string[]): boolean {
  return /^(?:name|title)$/i.test(title) && /^categor(?:y|ies)$/i.test(category)
}
