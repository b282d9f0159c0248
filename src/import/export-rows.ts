import type { Executor } from '#db/db'
import type { PremiumItem } from '#src/story/draft-schema'
import { type LibraryFilter, listLibrary } from '#src/story/library'
import { excerptCharactersMax, libraryLimitMax, preview } from '#src/story/rules'
import { writeList } from './cell'
import { columnName, exportMarks, type ItemField, itemFields, noCategories } from './rules'

/** An item as a row that an import takes again; id and slug are for those who read the file. */
export type ExportRow = ReturnType<typeof rowOf>

/** The library, page by page and the newest first: it need not fit into memory. */
export async function* exportRows(
  db: Executor,
  filter: Omit<LibraryFilter, 'limit' | 'cursor'>,
): AsyncGenerator<ExportRow[]> {
  let cursor: string | undefined
  do {
    const page = await listLibrary(db, { ...filter, limit: libraryLimitMax, cursor })
    yield page.items.map(rowOf)
    cursor = page.nextCursor ?? undefined
  } while (cursor)
}

function rowOf(item: PremiumItem) {
  const { id, slug, categories } = item
  // An excerpt that was made of the text is made again, and follows the text when that is mended.
  const isMade = item.excerpt === preview(item.content, excerptCharactersMax)
  return {
    ...pick(item, itemFields),
    excerpt: isMade ? '' : item.excerpt,
    categories: categories.length > 0 ? categories : [noCategories],
    id,
    slug,
  }
}

function pick<T, K extends keyof T>(from: T, keys: readonly K[]): Pick<T, K> {
  return Object.fromEntries(keys.map((key) => [key, from[key]])) as Pick<T, K>
}

/** The heading of a sheet of items; by its last two columns it is known for one. */
export const exportHeadings = [...itemFields.map(columnName), ...exportMarks]

/** The cells of a row under `exportHeadings`. */
export function exportCells(row: ExportRow): (string | number)[] {
  return [...itemFields.map((field) => cellOf(row[field])), row.slug, row.id]
}

function cellOf(value: ExportRow[ItemField]): string | number {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return Array.isArray(value) ? writeList(value) : (value ?? '')
}
