import { and, arrayOverlaps, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { listRowChanges, type Since } from '#db/changes'
import { instantText } from '#db/columns'
import type { Executor } from '#db/db'
import { stories } from '#db/schema'
import type { Removal } from '#src/shape/changes'
import { isId } from '#src/shape/id'
import { cutPage, exactCountMax, readCursor, shownCount, writeCursor } from '#src/shape/list-page'
import { pick } from '#src/shape/pick'
import type { PremiumItem } from '#src/story/draft-schema'
import { itemFieldNames } from '#src/story/fields'
import { itemVersion, voicesSpoken } from '#src/story/item-row'
import { cachesOf, countCached, countCurrent, type ItemTotals } from '#src/story/list-cache'
import { missingItem } from '#src/story/require-item'
import { type Category, type ItemType, libraryLimitDefault, type Status } from '#src/story/rules'
import { asFilter, asSubquery, searchFor } from '#src/story/search'
import { sizeWords } from '#src/ui/size-words'
import { urls } from '#src/urls'
import { type CardItem, cardFields } from './library-card-fields'

export type LibraryFilter = {
  q?: string
  type?: ItemType
  category?: Category
  status?: Status
  limit?: number
  cursor?: string
}

export type Library<Item = PremiumItem> = {
  items: Item[]
  /** Exact up to 10,000; beyond that `isAtLeast` is true. */
  count: number
  isAtLeast: boolean
  nextCursor: string | null
}

/** Lists the library as operators see it, the newest first: every status except removed, unless that is requested. */
export function listLibrary(db: Executor, filter: LibraryFilter = {}): Promise<Library> {
  return listPage(db, filter, (where, limit) => selectItems(db, where, limit))
}

/** An item of the library with its version (`itemVersion`). */
export type LibraryRow = { id: string; createdAt: string; version: string }

/** Lists the library like `listLibrary`, but only ids and versions; `readCardItems` reads the content of the cards. */
export function listLibraryRows(db: Executor, filter: LibraryFilter): Promise<Library<LibraryRow>> {
  const columns = { id: stories.id, createdAt, version: itemVersion }
  return listPage(db, filter, (where, limit, isRare) => {
    // The limit is part of the text: for a parameter, PostgreSQL would plan to read a tenth of the library.
    const order = sql`${newestFirst} limit ${sql.raw(String(limit))}`
    const query = db.select(columns).from(stories).where(where).orderBy(order)
    // The best plan for rare items or a category depends on their number, so these are planned each time.
    return isRare || filter.category ? query : query.prepare('library-rows').execute()
  })
}

async function listPage<Item extends { id: string; createdAt: string }>(
  db: Executor,
  filter: LibraryFilter,
  select: (where: SQL | undefined, limit: number, isRare: boolean) => Promise<Item[]>,
): Promise<Library<Item>> {
  const limit = filter.limit ?? libraryLimitDefault
  const from = filter.cursor ? readCursor(filter.cursor, 'timestamp') : null
  const where = matching(filter)
  const { q, type, category, status } = filter
  const key = ['library', type, category, status, q]
  const counting = q ? countCached(db, key, where) : countCurrent(db, key, where)
  const isRare = q !== undefined && (await counting) <= exactCountMax
  const [rows, counted] = await Promise.all([
    select(
      and(
        isRare ? asSubquery(where) : and(matching({ ...filter, q: undefined }), q ? asFilter(q) : undefined),
        from
          ? sql`(${stories.createdAt}, ${stories.id}) < (${from.value}::timestamptz, ${from.id}::uuid)`
          : undefined,
      ),
      limit + 1,
      isRare,
    ),
    counting,
  ])
  const { page, nextCursor } = cutPage(rows, limit, (last) =>
    writeCursor({ value: last.createdAt, id: last.id }),
  )
  return {
    items: page,
    ...shownCount(counted),
    nextCursor,
  }
}

export type LibraryChanges = { items: PremiumItem[]; removed: Removal[]; nextCursor: string | null }

/** One page of the items that changed in the library since a time, and of those removed from it. */
export async function listLibraryChanges(
  db: Executor,
  filter: LibraryFilter,
  since: Since,
): Promise<LibraryChanges> {
  const limit = filter.limit ?? libraryLimitDefault
  const after = filter.cursor ? readCursor(filter.cursor, 'timestamp') : null
  const list = { table: stories, kind: 'library', where: matching(filter) } as const
  const changes = await listRowChanges(db, list, since, { limit: limit + 1, after })
  const { page, nextCursor } = cutPage(changes, limit, ({ at, id }) => writeCursor({ value: at, id }))
  const ids = page.filter(({ isRemoved }) => !isRemoved).map(({ id }) => id)
  return {
    items: (await Array.fromAsync(readLibraryItems(db, ids))).flat(),
    removed: page.filter(({ isRemoved }) => isRemoved).map(({ id, at }) => ({ id, removedAt: at })),
    nextCursor,
  }
}

/** Condition of the items that a filter matches; removed ones only if it names that status. */
export function matching({ q, type, category, status }: LibraryFilter): SQL | undefined {
  return and(
    status ? and(isOfLibrary, eq(stories.status, status)) : isPresent,
    type && eq(stories.type, type),
    category ? arrayOverlaps(stories.categories, [category]) : undefined,
    q ? searchFor(q) : undefined,
  )
}

/** Finds one item of the library; null if there is none. */
export async function findLibraryItem(db: Executor, id: string): Promise<PremiumItem | null> {
  if (!isId(id)) return null
  const [item] = await selectItems(db, and(isPresent, eq(stories.id, id)), 1)
  return item ?? null
}

/** Returns one item of the library. Throws `not_found` if there is none. */
export async function requireLibraryItem(db: Executor, id: string): Promise<PremiumItem> {
  const item = await findLibraryItem(db, id)
  if (!item) throw missingItem()
  return item
}

/** Returns one item, or a removed one, which can be viewed and restored. Throws `not_found` if there is none. */
export async function requireItemOrRemoved(db: Executor, id: string): Promise<PremiumItem> {
  const [item] = isId(id) ? await selectItems(db, and(isOfLibrary, eq(stories.id, id)), 1) : []
  if (!item) throw missingItem()
  return item
}

/** Yields items in chunks, in the order of their ids. */
export async function* readLibraryItems(db: Executor, ids: readonly string[]): AsyncGenerator<PremiumItem[]> {
  for (let from = 0; from < ids.length; from += itemsAtOnce) {
    const some = ids.slice(from, from + itemsAtOnce)
    const items = new Map(
      (await selectItems(db, inArray(stories.id, some), some.length)).map((item) => [item.id, item]),
    )
    yield some.flatMap((id) => items.get(id) ?? [])
  }
}

/** Items of a chunk; their whole texts are a few megabytes. */
const itemsAtOnce = 100

/**
 * Totals of the listed items and their audio; `totalSize` is in words, such as "12.4 MB". They are on every page of the
 * library and take reading all its items, so they are cached until it changes.
 */
export async function countLibrary(
  db: Executor,
): Promise<{ totalStories: number; totalFlows: number; totalAudioFiles: number; totalSize: string }> {
  const { stories, flows, files, bytes } = await cachesOf(db).totals('library', () => readTotals(db))
  return {
    totalStories: stories,
    totalFlows: flows,
    totalAudioFiles: files,
    totalSize: sizeWords(bytes),
  }
}

async function readTotals(db: Executor): Promise<ItemTotals> {
  const [row] = await db.execute<ItemTotals>(sql`
    select (select count(*) from stories where ${isPresent} and type = 'story')::int as stories,
           (select count(*) from stories where ${isPresent} and type = 'flow')::int as flows,
           count(*)::int as files, coalesce(sum(size_bytes), 0)::float8 as bytes
    from audio_files where exists (select 1 from narrations join stories on stories.id = story_id
      where audio_hash = hash and is_current and ${isPresent})`)
  return row ?? { stories: 0, flows: 0, files: 0, bytes: 0 }
}

/** These are literals, not parameters, to match the conditions of the partial indexes. */
const isOfLibrary = sql`${stories.source} = 'pre_uploaded'`
const isPresent = sql`(${isOfLibrary} and ${stories.status} <> 'removed')`

async function selectItems(db: Executor, where: SQL | undefined, limit: number): Promise<PremiumItem[]> {
  const rows = await db.select(itemColumns).from(stories).where(where).orderBy(newestFirst).limit(limit)
  return rows.map(({ spoken, publishedAt, updatedAt, ...row }) => {
    const linked = (voice: string) => (spoken.includes(voice) ? urls.premiumAudio(row.id, voice) : null)
    return {
      ...row,
      publishedAt: publishedAt.toISOString(),
      updatedAt: updatedAt.toISOString(),
      linkedAudioFemale: linked('female'),
      linkedAudioMale: linked('male'),
      audioUrl: linked(row.voice) ?? linked('female') ?? linked('male'),
    }
  })
}

const newestFirst = sql`${stories.createdAt} desc, ${stories.id} desc`

const createdAt = instantText(stories.createdAt)

const itemColumns = {
  ...pick(stories, ['id', 'slug', 'source', 'audioDurationSeconds', 'wordCount', 'updatedAt']),
  ...pick(stories, itemFieldNames),
  generateAudio: stories.isGenerating,
  createdAt,
  spoken: voicesSpoken,
}

/** Reads what the cards of some items show, in any order. */
export async function readCardItems(db: Executor, ids: readonly string[]): Promise<CardItem[]> {
  const rows = await db
    .select({
      ...pick(stories, cardFields),
      content: stories.preview,
      generateAudio: stories.isGenerating,
      spoken: voicesSpoken,
    })
    .from(stories)
    .where(inArray(stories.id, [...ids]))
  return rows.map(({ spoken, ...row }) => ({ ...row, hasAudio: spoken.length > 0 }))
}
