import type { Executor } from '#db/db'
import { writeList } from '#src/import/rows/cell'
import { type LibraryFilter, listLibrary } from '#src/library/queries'
import { pick } from '#src/shape/pick'
import type { PremiumItem } from '#src/story/draft-schema'
import { isExcerptMade, libraryLimitMax } from '#src/story/rules'
import { columnName, exportMarks, noCategories, sheetFields } from './rules'

/** An item as a row that an import accepts. Id and slug are for people. */
export type ExportRow = ReturnType<typeof rowOf>

/** Yields the library page by page, newest first, so that it need not fit into memory. */
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
  // A derived excerpt is left empty: the import derives it again, so that it follows later changes of the text.
  return {
    ...pick(item, sheetFields),
    excerpt: isExcerptMade(item) ? '' : item.excerpt,
    categories: categories.length > 0 ? categories : [noCategories],
    id,
    slug,
  }
}

/** Heading row of a sheet of items. Its last two columns identify an export. */
export const exportHeadings = [...sheetFields.map(columnName), ...exportMarks]

/** The cells of a row under `exportHeadings`. */
export function exportCells(row: ExportRow): (string | number)[] {
  return [...sheetFields.map((field) => cellOf(row[field])), row.slug, row.id]
}

function cellOf(value: ExportRow[(typeof sheetFields)[number]]): string | number {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return Array.isArray(value) ? writeList(value) : (value ?? '')
}
