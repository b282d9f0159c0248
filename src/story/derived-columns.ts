import { countWords, excerptCharactersMax, preview } from './rules'
import { titleKey } from './title-key'

/** The columns derived from a changed text or title. */
export function derivedColumns(values: { content?: unknown; title?: unknown; excerpt?: unknown }) {
  const { content, title, excerpt } = values
  return {
    ...(typeof content === 'string' && { wordCount: countWords(content) }),
    ...(typeof content === 'string' &&
      excerpt === undefined && { excerpt: preview(content, excerptCharactersMax) }),
    ...(typeof title === 'string' && { titleKey: titleKey(title) }),
  }
}
