import type { Database } from '#db/db'
import { listLimitMax } from '#src/story/rules'
import { fillLibrary, fillMembers, fillSaved } from './fill'
import { joinNocturne } from './join'
import { press } from './load'
import { benchSize } from './rankings'
import { heading, notMeasured, table } from './report'
import { benchToken, withServerAndDatabase } from './servers'

type Page = { name: string; path: string; who: 'visitor' | 'member' | 'operator' }

const pages: readonly Page[] = [
  { name: 'Explore', path: '/', who: 'visitor' },
  { name: 'Explore', path: '/', who: 'member' },
  { name: 'stories of a category', path: '/stories?category=romantic', who: 'visitor' },
  { name: 'stories of a category', path: '/stories?category=romantic', who: 'member' },
  { name: 'search, one word', path: '/stories?q=ferry', who: 'member' },
  { name: 'search, two words', path: '/stories?q=ferry%20lamp', who: 'member' },
  { name: 'All Time trending', path: '/trending?timeframe=all', who: 'member' },
  { name: 'an item', path: ':item', who: 'visitor' },
  { name: 'an item', path: ':item', who: 'member' },
  { name: "member's Home", path: '/home', who: 'member' },
  { name: 'My Content', path: '/my-content', who: 'member' },
  { name: 'GET /api/content', path: `/api/content?limit=${listLimitMax}`, who: 'visitor' },
  { name: '/sitemap.xml', path: '/sitemap.xml', who: 'visitor' },
  { name: "console's library", path: '/premium-content', who: 'operator' },
  { name: "console's library, a search", path: '/premium-content?q=ferry', who: 'operator' },
  { name: "console's library, two words", path: '/premium-content?q=silver%20lamp', who: 'operator' },
  { name: 'members', path: '/members', who: 'operator' },
  { name: 'members, a search', path: '/members?q=member4711', who: 'operator' },
  { name: 'members, a name', path: '/members?q=mara', who: 'operator' },
]

/**
 * Sends each request from another address, because openings of items are metered by address, and those from one address
 * would wait for each other.
 */
const fromAnyAddress = `
function request()
  local address = string.format("10.%d.%d.%d", math.random(0, 255), math.random(0, 255), math.random(1, 254))
  return wrk.format("GET", nil, { ["x-forwarded-for"] = address })
end`

type Row = { firstMs: number; p50Ms: number; p95Ms: number; perSecond: number; failures: number }

/**
 * Measures lists, searches, pages and the console with `count` items and as many members, over 16 connections; then the
 * rankings, once every item has been viewed, and the pages that show them. With BENCH_DATA_DIR the filled library is
 * kept in that folder and reused.
 */
export async function benchLarge(count: number): Promise<void> {
  const words = count.toLocaleString('en')
  heading(`Pages at ${words} items and ${words} members, 16 connections`)
  if (!Bun.which('wrk')) return notMeasured('pages', 'wrk is not installed')
  await withServerAndDatabase(
    async ({ url, pid }, db) => {
      await fillLibrary(db, count)
      await fillMembers(db, count)
      const cookie = await joinNocturne(url)
      await giveItems(db)
      await fillSaved(db)
      await measurePages({ url, db, cookie }, pages)
      heading(`Rankings of ${words} items, and the pages that show them`)
      process.kill(pid, 'SIGSTOP')
      await benchSize(db, count)
      process.kill(pid, 'SIGCONT')
      await measurePages({ url, db, cookie }, rankedPages)
    },
    { TRUST_PROXY: '127.0.0.1' },
    process.env.BENCH_DATA_DIR,
  )
}

const rankedPages: readonly Page[] = [
  ...pages.filter(({ path }) => path === '/home' || path.startsWith('/trending')),
  { name: 'Trending of a week', path: '/trending', who: 'member' },
  { name: 'GET /api/content/trending', path: '/api/content/trending?timeframe=all', who: 'member' },
]

/** Measures pages of a server whose library is filled. */
async function measurePages(
  { url, db, cookie }: { url: string; db: Database; cookie: string },
  pages: readonly Page[],
): Promise<void> {
  const [item] = await db.sql<
    { slug: string }[]
  >`select slug from stories where type = 'story' and slug like 'item-%' limit 1`
  const headersOf = {
    visitor: {},
    member: { cookie },
    operator: { authorization: `Bearer ${benchToken}` },
  }
  const rows: [string, Row][] = []
  for (const { name, path, who } of pages) {
    const address = url + path.replace(':item', `/story/${item?.slug}`)
    const headers = headersOf[who]
    const firstMs = await timed(address, headers)
    const script = who === 'visitor' && path === ':item' ? fromAnyAddress : undefined
    const load = await press(address, { headers, seconds: 3, script })
    if (load) rows.push([`${name}, ${who}`, { ...load, firstMs, perSecond: load.requestsPerSecond }])
  }
  table(
    [
      { name: 'first, ms', of: ({ firstMs }) => firstMs },
      { name: 'p50, ms', of: ({ p50Ms }) => p50Ms },
      { name: 'p95, ms', of: ({ p95Ms }) => p95Ms, goal: { atMost: 50 } },
      { name: 'req/s', of: ({ perSecond }) => perSecond },
      { name: 'failures', of: ({ failures }) => failures, goal: { atMost: 0 } },
    ],
    rows,
  )
}

async function timed(url: string, headers: Record<string, string>): Promise<number> {
  const startedAt = performance.now()
  const response = await fetch(url, { headers })
  await response.text()
  if (!response.ok) throw new Error(`${url} answered ${response.status}`)
  return performance.now() - startedAt
}

/** Lets the member who has just joined save and start some hundred items. */
async function giveItems(db: Database): Promise<void> {
  await db.sql.unsafe(`
    with member as (select id from users order by created_at desc limit 1),
      items as (select id, type, row_number() over () as n from stories where status = 'published' limit 300),
      saved as (insert into favorites (id, user_id, story_id)
        select gen_random_uuid(), member.id, items.id from member, items on conflict do nothing)
    insert into content_progress (id, anon_id, user_id, content_id, content_type, last_position_sec, total_sec)
    select gen_random_uuid(), member.id::text, member.id, items.id, items.type, items.n, 1200 from member, items
    on conflict do nothing`)
}
