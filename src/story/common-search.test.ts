import { beforeAll, expect, test } from 'bun:test'
import { openDatabase } from '#db/db'
import { testDatabaseUrl } from '#db/testing'
import { type LibraryFilter, listLibrary } from '#src/library/queries'
import { listMembers } from '#src/member/console/list-members'
import { exactCountMax } from '#src/shape/list-page'
import { clearListCaches } from './list-cache'
import { listItems } from './list-items'

/** Searches with more results than are counted: they are read in the list's order, not sorted (search.ts). */
const many = exactCountMax + 60
const db = openDatabase(await testDatabaseUrl(), { max: 2 })

beforeAll(async () => {
  await db.sql`
    insert into stories (id, slug, title, title_key, type, source, status, published_at, created_at)
    select gen_random_uuid(), 'item-' || n, 'Silver Lamp ' || n, 'silver lamp ' || n,
      case when n % 2 = 0 then 'story' else 'flow' end, 'pre_uploaded', 'published',
      now() - n * interval '1 minute', now() - n * interval '1 minute'
    from generate_series(1, ${many}::int) as n`
  await db.sql`
    insert into users (id, email, first_name) select gen_random_uuid(), 'm' || n || '@example.com', 'Mara'
    from generate_series(1, ${many}::int) as n`
})

const titles = (from: number, step = 1) =>
  Array.from({ length: 5 }, (_, at) => `Silver Lamp ${from + at * step}`)

test('a search with very many results keeps the list’s order from page to page', async () => {
  const first = await listItems(db, { q: 'silver lamp', limit: 5 }, 'none')
  expect(first.items.map(({ title }) => title)).toEqual(titles(1))
  expect([first.count, first.isAtLeast]).toEqual([exactCountMax, true])
  const second = await listItems(db, { q: 'silver lamp', limit: 5, cursor: first.nextCursor ?? '' }, 'none')
  expect(second.items.map(({ title }) => title)).toEqual(titles(6))
})

test('a search with very many results can be filtered by type', async () => {
  const { items, count } = await listItems(db, { q: 'silver lamp', type: 'story', limit: 5 }, 'none')
  expect(items.map(({ title }) => title)).toEqual(titles(2, 2))
  expect(count).toBe(many / 2)
})

test('a search in the console’s library keeps its order from page to page', async () => {
  const first = await listLibrary(db, { q: 'lamp silver', limit: 5 })
  expect(first.items.map(({ title }) => title)).toEqual(titles(1))
  const second = await listLibrary(db, { q: 'lamp silver', limit: 5, cursor: first.nextCursor ?? '' })
  expect(second.items.map(({ title }) => title)).toEqual(titles(6))
})

test('the console’s library caches only counts above the maximum', async () => {
  const countOf = async (filter: LibraryFilter) => (await listLibrary(db, { ...filter, limit: 1 })).count
  expect([await countOf({}), await countOf({ type: 'flow' })]).toEqual([exactCountMax, many / 2])
  // Deleted directly, since the program would clear its caches.
  await db.sql`delete from stories where slug = ${`item-${many - 1}`}`
  expect([await countOf({}), await countOf({ type: 'flow' })]).toEqual([exactCountMax, many / 2 - 1])
  // So few that they are written well before the cache expires, even on a busy machine.
  await db.sql`update stories set status = 'removed' where split_part(slug, '-', 2)::int <= 100`
  expect(await listLibrary(db, { limit: 1 })).toMatchObject({ isAtLeast: true })
  clearListCaches(db)
  expect(await listLibrary(db, { limit: 1 })).toMatchObject({ isAtLeast: false })
})

test('a search for a common name lists the newest members first, from page to page', async () => {
  const ids = (await db.sql<{ id: string }[]>`select id from users order by id desc limit 10`).map(
    ({ id }) => id,
  )
  const first = await listMembers(db, { q: 'mara', limit: 5 })
  const second = await listMembers(db, { q: 'mara', limit: 5, cursor: first.nextCursor ?? '' })
  expect([...first.members, ...second.members].map(({ id }) => id)).toEqual(ids)
})
