import type { Executor } from '#db/db'
import type { PremiumItem } from '#src/story/draft-schema'
import { type LibraryFilter, listLibrary } from '#src/story/library'
import { excerptCharactersMax, libraryLimitMax, preview } from '#src/story/rules'
import { columnNames, type Field } from './rules'

/** An item as a row that an import takes again; what it takes no notice of is for those who read the file. */
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
  const { title, type, voice, categories, tags, contentNotes, description, content, duration } = item
  const narrator = voice === 'female' ? item.narratorFemale : item.narratorMale
  // An excerpt that was made of the text is made again, and follows the text when that is mended.
  const isMade = item.excerpt === preview(content, excerptCharactersMax)
  return {
    title,
    type,
    voice: narrator ?? voice,
    categories,
    tags,
    description,
    excerpt: isMade ? '' : item.excerpt,
    content,
    duration,
    contentNotes,
    id: item.id,
    slug: item.slug,
    status: item.status,
    isFree: item.isFree,
    publishedAt: item.publishedAt,
  } satisfies Partial<Record<Field, unknown>> & Record<string, unknown>
}

const columns = [
  'title',
  'type',
  'voice',
  'categories',
  'tags',
  'description',
  'excerpt',
  'content',
  'duration',
  'contentNotes',
] as const satisfies readonly Field[]

export const exportHeadings = [...columns.map((field) => columnNames[field]), 'Status', 'Free', 'Slug', 'Id']

/** The cells of a row under `exportHeadings`; lists have commas between. */
export function exportCells(row: ExportRow): (string | number)[] {
  const cells = columns.map((field) => {
    const value = row[field]
    return typeof value === 'object' ? value.join(', ') : value
  })
  return [...cells, row.status, row.isFree ? 'yes' : 'no', row.slug, row.id]
}
