/** Business numbers and closed lists of items. Browser-safe: no imports. */

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

export const itemTypes = ['story', 'flow'] as const
export type ItemType = (typeof itemTypes)[number]

export const sources = ['pre_uploaded', 'user_generated'] as const
export type Source = (typeof sources)[number]

export const voices = ['female', 'male'] as const
export type Voice = (typeof voices)[number]

/** Where an item stands: only `published` items are seen by visitors and members. */
export const statuses = ['draft', 'scheduled', 'published', 'held', 'removed'] as const
export type Status = (typeof statuses)[number]

export const sorts = ['newest', 'oldest', 'duration'] as const
export type Sort = (typeof sorts)[number]

/** The columns of an item that is held back from a status. */
export function holdFrom(status: Status): { status: Status; heldFrom?: Status } {
  return status === 'held' ? { status } : { status: 'held', heldFrom: status }
}

/** A list shows 50 at most (visitor.md §9). */
export const listLimitMax = 50

/** Characters of the excerpt that is made where none is written, and of a content preview (visitor.md §9). */
export const excerptCharactersMax = 150
export const previewCharactersMax = 120
/** More categories than this are shown as "+N more" (visitor.md §9). */
export const shownCategoriesMax = 3

/** Reading speed that the reading time is reckoned with (visitor.md §9). */
export const wordsPerMinute = 225

/** A title has to fit a card, a cover and a file name; the others fit what people paste. */
export const titleCharactersMax = 200
export const descriptionCharactersMax = 2_000
export const excerptFieldCharactersMax = 1_000
/** About 170,000 words: longer than any novel that is read aloud in one piece. */
export const contentCharactersMax = 1_000_000
/** What a call may send: the verb then says in plain words how long the text is, and how long it may be. */
export const sentCharactersMax = 4 * contentCharactersMax
export const tagsMax = 20
export const tagCharactersMax = 50
export const searchCharactersMax = 200

/** Minutes. A longer item would be a book; the forms are narrower (operator.md §5). */
export const durationMinutesMax = 600
export const durationMinutesDefault = 15

/** Exact counts end here: counting further would be slower than the list itself (product.md §8). */
export const exactCountMax = 10_000

/** Whitespace-separated words. */
export function countWords(text: string): number {
  return text.match(/\S+/g)?.length ?? 0
}

/** Minutes to read a text, rounded up; null where there is none. */
export function readingMinutes(wordCount: number): number | null {
  return wordCount > 0 ? Math.ceil(wordCount / wordsPerMinute) : null
}

/** The first words of a text, at most `charactersMax` long with the "…" that says it goes on. */
export function preview(text: string, charactersMax: number): string {
  const flat = text.replace(/\s+/g, ' ').trim()
  if (flat.length <= charactersMax) return flat
  const cut = flat.slice(0, charactersMax - 1)
  const words = cut.replace(/\s+\S*$/, '')
  return `${(words.length > charactersMax / 2 ? words : cut).replace(/[\s,;:.–—-]+$/, '')}…`
}

/** "BDSM", "Man and woman": how a category is written on screen. */
export function categoryLabel(category: string): string {
  return category === 'bdsm' ? 'BDSM' : category.charAt(0).toUpperCase() + category.slice(1)
}

/** "12 results", "1 result", "10,000+ results". */
export function resultWords(count: number, isAtLeast = false): string {
  return `${count.toLocaleString('en')}${isAtLeast ? '+' : ''} ${count === 1 ? 'result' : 'results'}`
}

/** The key under which an item is a favourite: source:type:id. */
export function contentKey(item: { source: string; type: string; id: string }): string {
  return `${item.source}:${item.type}:${item.id}`
}

/** The parts of a content key, or null where it is not one. */
export function parseContentKey(key: string): { source: Source; type: ItemType; id: string } | null {
  const [source, type, id, ...rest] = key.split(':')
  if (rest.length > 0 || !id || !isId(id)) return null
  if (!sources.includes(source as Source) || !itemTypes.includes(type as ItemType)) return null
  return { source: source as Source, type: type as ItemType, id }
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether a text can be the id of a row. */
export function isId(text: string): boolean {
  return uuid.test(text)
}

/** Minutes that the operator's forms take (operator.md §5). */
export const singleStoryMinutes = { min: 5, max: 60 } as const
export const premiumMinutes = { min: 1, max: 60 } as const
export const editMinutes = { min: 5, max: 60 } as const
/** A page of the operator's library, with whole texts. */
export const libraryLimitDefault = 200
export const libraryLimitMax = 500
