import { countWords, excerptCharactersMax, isExcerptMade, preview } from './rules'
import { titleKey } from './title-key'

type Given = { content?: unknown; title?: unknown; excerpt?: unknown }
type Excerpted = { content: string; excerpt: string }

/** The columns derived from a changed text or title; of an item that was there `before` also the excerpt. */
export function derivedColumns(given: Given, before?: Excerpted) {
  const { content, title } = given
  return {
    ...(typeof content === 'string' && { wordCount: countWords(content) }),
    ...(before && derivedExcerpt(given, before)),
    ...(typeof title === 'string' && { titleKey: titleKey(title) }),
  }
}

/** An excerpt that is the beginning of its text follows it, and an empty one is made; what somebody wrote stays. */
function derivedExcerpt({ content, excerpt }: Given, before: Excerpted): { excerpt?: string } {
  const isFollowing = excerpt === undefined && content !== undefined && isExcerptMade(before)
  if (!isFollowing && excerpt !== '') return {}
  return { excerpt: preview(typeof content === 'string' ? content : before.content, excerptCharactersMax) }
}
