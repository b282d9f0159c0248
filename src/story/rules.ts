import { isId } from '#src/shape/id'
import { pluralize } from '#src/text/pluralize'

/** Business numbers and closed lists of items. Browser-safe. */

export const categories = [
  'man and woman',
  'lesbian',
  'gay',
  'romantic',
  'bdsm',
  'one night stand',
  'roleplay',
] as const
export type Category = (typeof categories)[number]

/** The names that are categories, in the order of the categories. */
export function knownCategories(names: readonly string[]): Category[] {
  return names.flatMap((name) => categories.find((each) => each === name) ?? [])
}

export const itemTypes = ['story', 'flow'] as const
export type ItemType = (typeof itemTypes)[number]

export const sources = ['pre_uploaded', 'user_generated'] as const
export type Source = (typeof sources)[number]

export const voices = ['female', 'male'] as const
export type Voice = (typeof voices)[number]

/** The status of an item: only `published` items are visible to visitors and members. */
export const statuses = ['draft', 'scheduled', 'published', 'held', 'removed'] as const
export type Status = (typeof statuses)[number]

export const sorts = ['newest', 'oldest', 'duration'] as const
export type Sort = (typeof sorts)[number]

/** Lengths that lists are filtered by. Their minutes are those that a card shows. */
export const lengths = ['short', 'medium', 'long'] as const
export type Length = (typeof lengths)[number]
export const lengthMinutes: Record<Length, { min: number; max: number }> = {
  short: { min: 0, max: 5 },
  medium: { min: 6, max: 15 },
  long: { min: 16, max: 1_000_000 },
}
export const lengthWords: Record<Length, string> = {
  short: 'Under 6 min',
  medium: '6 to 15 min',
  long: 'Over 15 min',
}

/** Days for which items in the bin can be restored. A month is enough to notice a mistake. */
export const binDays = 30

/** The columns of an item that is held instead of getting a status. */
export function holdFrom(status: Status): { status: Status; heldFrom?: Status } {
  return status === 'held' ? { status } : { status: 'held', heldFrom: status }
}

/** Most items on one page of a list. */
export const listLimitMax = 50

/** Characters of a derived excerpt; below, of a content preview. */
export const excerptCharactersMax = 150
export const previewCharactersMax = 120
/** More categories than this are shown as "+N more". */
export const shownCategoriesMax = 3

/** Reading speed from which reading times are calculated. */
const wordsPerMinute = 225

/** A title has to fit a card, a cover and a file name. The other limits fit pasted texts. */
export const titleCharactersMax = 200
export const descriptionCharactersMax = 2_000
export const excerptFieldCharactersMax = 1_000
/** About 170,000 words, longer than any novel narrated in one piece. */
export const contentCharactersMax = 1_000_000
/** The schema's limit. It is above the handler's, whose message says how long the text is and how long it may be. */
export const sentCharactersMax = 4 * contentCharactersMax
export const tagsMax = 20
export const tagCharactersMax = 50
export const searchCharactersMax = 200

/** Minutes. A longer item would be a book. The forms accept less. */
export const durationMinutesMax = 600
export const durationMinutesDefault = 15

/** Counts words, separated by whitespace. */
export function countWords(text: string): number {
  return text.match(/\S+/g)?.length ?? 0
}

/** Minutes to read a text, rounded up. Null without words. */
export function readingMinutes(wordCount: number): number | null {
  return wordCount > 0 ? Math.ceil(wordCount / wordsPerMinute) : null
}

/** The first words of a text, at most `charactersMax` long, including a "…" if the text goes on. */
export function preview(text: string, charactersMax: number): string {
  const flat = text.replace(/\s+/g, ' ').trim()
  if (flat.length <= charactersMax) return flat
  const cut = flat.slice(0, charactersMax - 1)
  const words = cut.replace(/\s+\S*$/, '')
  return `${(words.length > charactersMax / 2 ? words : cut).replace(/[\s,;:.–—-]+$/, '')}…`
}

/** Whether an excerpt is the beginning of its text, so that no person wrote it. */
export function isExcerptMade({ content, excerpt }: { content?: string; excerpt?: string }): boolean {
  return excerpt === preview(content ?? '', excerptCharactersMax)
}

/** A category's display name: "BDSM", "Man and woman". */
export function categoryLabel(category: string): string {
  return category === 'bdsm' ? 'BDSM' : category.charAt(0).toUpperCase() + category.slice(1)
}

/** "12 results", "1 result", "10,000+ results". */
export function resultWords(
  { count, isAtLeast }: { count: number; isAtLeast: boolean },
  noun = 'result',
): string {
  const words = pluralize(count, noun)
  return isAtLeast ? words.replace(' ', '+ ') : words
}

/** The key of an item among favourites: source:type:id. */
export function contentKey(item: { source: string; type: string; id: string }): string {
  return `${item.source}:${item.type}:${item.id}`
}

/** The parts of a content key. Null if the text is no such key. */
export function parseContentKey(key: string): { source: Source; type: ItemType; id: string } | null {
  const [givenSource, givenType, id, ...rest] = key.split(':')
  const source = sources.find((each) => each === givenSource)
  const type = itemTypes.find((each) => each === givenType)
  if (rest.length > 0 || !id || !isId(id) || !source || !type) return null
  return { source, type, id }
}

/** Minutes that the operators' forms accept. */
export const singleStoryMinutes = { min: 5, max: 60 } as const
export const premiumMinutes = { min: 1, max: 60 } as const
export const editMinutes = { min: 5, max: 60 } as const
/** Page sizes of the operator's library, with whole texts. */
export const libraryLimitDefault = 200
export const libraryLimitMax = 500
