import type { stories } from '#db/schema'
import type { ImportItem } from '#src/import/rows/decode-row'
import { keysOf, pick } from '#src/shape/pick'
import { itemFieldNames } from '#src/story/fields'
import type { ItemType, Voice } from '#src/story/rules'
import { titleKey } from '#src/story/title-key'
import { sheetFields } from './rules'

/** Columns of a library item that a row may refer to. */
export const existingFields = ['id', 'titleKey', 'heldFrom', ...itemFieldNames] as const
export type ExistingItem = Pick<typeof stories.$inferSelect, (typeof existingFields)[number]> & {
  /** The hash of the current narration in each voice. */
  audio: Partial<Record<Voice, string>>
}
/** By `itemKey`. The list has several items if the library has the title more than once. */
export type ExistingItems = ReadonlyMap<string, readonly ExistingItem[]>

export type FieldChange = { field: keyof ExistingItem; before: unknown; after: unknown }

/** Key by which a row is matched to an item: type and normalised title. */
export function itemKey(type: ItemType, title: string): string {
  return `${type}:${titleKey(title)}`
}

/**
 * The changes that a row makes to an item. Only fields that the row states can change; an empty cell changes nothing.
 */
export function changesOf(item: ImportItem, existing: ExistingItem): FieldChange[] {
  const stated = sheetFields.filter((field) => item.stated.has(field))
  const { status, publishedAt, ...values } = pick(item, stated)
  const wanted = { ...values, ...appearanceOf(item, existing) }
  return keysOf(wanted).flatMap((field) => {
    const [before, after] = [existing[field], wanted[field]]
    return isEqual(before, after) ? [] : [{ field, before, after }]
  })
}

/**
 * The item's resulting status, by the same rules as an edit. A held item stays held until an operator decides; the row
 * sets the status that it gets then. A scheduled item that the row publishes appears now.
 */
function appearanceOf({ status, publishedAt }: ImportItem, existing: ExistingItem): Partial<ExistingItem> {
  const time = publishedAt && { publishedAt }
  if (status === null || status === 'held') return { ...time }
  if (existing.status === 'held') return { heldFrom: status, ...time }
  const hasAppeared = existing.status === 'published'
  if (status === 'scheduled' && !publishedAt && hasAppeared) return {}
  const isEarly = status === 'published' && !hasAppeared && existing.publishedAt > new Date()
  return { status, ...(isEarly && { publishedAt: new Date() }), ...time }
}

function isEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
