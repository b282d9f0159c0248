import { and, eq, inArray, ne, sql } from 'drizzle-orm'
import type { Executor, Transaction } from '#db/db'
import { narrations, stories } from '#db/schema'
import { pick } from '#src/shape/pick'
import type { Voice } from '#src/story/rules'
import { titleKey } from '#src/story/title-key'
import { type ExistingItem, type ExistingItems, existingFields, itemKey } from './existing-item'

const existingColumns = pick(stories, existingFields)

/** Reading the whole texts of so many items takes some milliseconds. Other requests run between two queries. */
const keysAtOnce = 500

/** Finds the library's items with some titles, by `itemKey`, oldest first. */
export async function findExisting(db: Executor, titles: readonly string[]): Promise<ExistingItems> {
  return readItems(db, keysOf(titles))
}

/**
 * Like `findExisting`, with the items locked until the transaction ends, so that nobody edits or removes one between
 * plan and write. Rows are locked in the order of their ids, as everywhere that several are locked. Rows that reference
 * an item (a vote, a position) need not wait.
 */
export async function lockExisting(tx: Transaction, titles: readonly string[]): Promise<ExistingItems> {
  const keys = keysOf(titles)
  await tx.execute(sql`
    select 1 from stories where title_key in (select jsonb_array_elements_text(${JSON.stringify(keys)}::text::jsonb))
      and source = 'pre_uploaded' and status <> 'removed' order by id for no key update`)
  return readItems(tx, keys)
}

const keysOf = (titles: readonly string[]) => [...new Set(titles.map(titleKey))]

async function readItems(db: Executor, keys: readonly string[]): Promise<ExistingItems> {
  const found: ExistingItem[] = []
  for (let from = 0; from < keys.length; from += keysAtOnce) {
    const rows = await db
      .select(existingColumns)
      .from(stories)
      .where(
        and(
          inArray(stories.titleKey, keys.slice(from, from + keysAtOnce)),
          eq(stories.source, 'pre_uploaded'),
          ne(stories.status, 'removed'),
        ),
      )
      .orderBy(stories.createdAt, stories.id)
    for (const row of rows) found.push({ ...row, audio: {} })
  }
  await addAudio(db, found)
  return Map.groupBy(found, ({ type, title }) => itemKey(type, title))
}

async function addAudio(db: Executor, found: readonly ExistingItem[]): Promise<void> {
  const byId = new Map(found.map((item) => [item.id, item]))
  const ids = [...byId.keys()]
  for (let from = 0; from < ids.length; from += keysAtOnce) {
    const rows = await db
      .select({ storyId: narrations.storyId, voice: narrations.voice, hash: narrations.audioHash })
      .from(narrations)
      .where(and(inArray(narrations.storyId, ids.slice(from, from + keysAtOnce)), sql`is_current`))
    for (const row of rows) {
      const item = byId.get(row.storyId)
      if (item) item.audio[row.voice satisfies Voice] = row.hash
    }
  }
}
