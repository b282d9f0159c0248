import { and, asc, type SQL, sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { fromReplica } from '#db/from-replica'
import { stories } from '#db/schema'
import { urls } from '#src/urls'
import { cachesOf } from './list-cache'
import { isListed } from './shown-items'

/** The protocol allows 50,000 addresses in one file, and the first file also has other pages. */
const fileItemsMax = 49_000
/** Items written at once. Other requests run between two batches. */
export const batchItems = 2_000
const pages = [urls.explore(), urls.stories(), urls.trending(), urls.home(), urls.landing()]

type Sitemap = { db: Executor; publicUrl: string; itemsMax?: number }
type Place = { publishedAt: string; id: string }

/**
 * The sitemap of the published library: one file, or an index if there are more items than one file may have. Older
 * items come first, so that a new item changes only the last file. Cached until the library changes.
 */
export function readSitemap({ db, publicUrl, itemsMax = fileItemsMax }: Sitemap): Promise<Blob> {
  return cachesOf(db).sitemaps(`${publicUrl} ${itemsMax}`, async () => {
    const starts = await listStarts(db, itemsMax)
    if (starts.length <= 1) return writeFile({ db, publicUrl }, {})
    const files = starts.map((_, at) => `<sitemap><loc>${publicUrl}/sitemap/${at + 1}.xml</loc></sitemap>`)
    return document('sitemapindex', files)
  })
}

/** One file of the index, by its number from 1. Null if there is no such file. */
export async function readSitemapFile(
  { db, publicUrl, itemsMax = fileItemsMax }: Sitemap,
  number: number,
): Promise<Blob | null> {
  const starts = await listStarts(db, itemsMax)
  const [from, to] = [starts[number - 1], starts[number]]
  if (!from && number !== 1) return null
  return cachesOf(db).sitemaps(`${publicUrl} ${itemsMax} ${number}`, () =>
    writeFile({ db, publicUrl }, { ...(from && number > 1 && { from }), ...(to && { to }) }),
  )
}

const key = sql`(${stories.publishedAt}, ${stories.id})`
const placeOf = ({ publishedAt, id }: Place) => sql`(${publishedAt}::timestamptz, ${id}::uuid)`

/** Finds the first item of each file. */
async function listStarts(db: Executor, itemsMax: number): Promise<Place[]> {
  const query = sql`
    select published_at as "publishedAt", id from (
      select published_at, id, row_number() over (order by published_at, id) as place from stories where ${isListed}
    ) as placed where place % ${itemsMax}::int = ${1 % itemsMax}::int order by place`
  const { starts } = await cachesOf(db).sitemapStarts(String(itemsMax), async () => ({
    starts: await fromReplica(db, 'lists', (from) => from.execute<Place>(query)),
  }))
  return starts
}

/** Writes the items from one position up to, without, another. The first file has the other pages too. */
async function writeFile(
  { db, publicUrl }: Sitemap,
  { from, to }: { from?: Place; to?: Place },
): Promise<Blob> {
  const lines = from ? [] : pages.map((path) => `<url><loc>${publicUrl}${path}</loc></url>`)
  let after: SQL | undefined = from && sql`${key} >= ${placeOf(from)}`
  for (;;) {
    const where = and(isListed, after, to && sql`${key} < ${placeOf(to)}`)
    const items = await fromReplica(db, 'lists', (from) => listBatch(from, where))
    for (const item of items)
      lines.push(
        `<url><loc>${publicUrl}${urls.item(item)}</loc><lastmod>${item.updatedAt.toISOString()}</lastmod></url>`,
      )
    const last = items.at(-1)
    if (!last || items.length < batchItems) return document('urlset', lines)
    after = sql`${key} > ${placeOf({ publishedAt: last.publishedAt.toISOString(), id: last.id })}`
  }
}

function listBatch(db: Executor, where: SQL | undefined) {
  return db
    .select({
      id: stories.id,
      type: stories.type,
      slug: stories.slug,
      updatedAt: stories.updatedAt,
      publishedAt: stories.publishedAt,
    })
    .from(stories)
    .where(where)
    .orderBy(asc(stories.publishedAt), asc(stories.id))
    .limit(batchItems)
}

function document(root: 'urlset' | 'sitemapindex', lines: readonly string[]): Blob {
  return new Blob(
    [
      `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${lines.join('\n')}\n</${root}>\n`,
    ],
    { type: 'application/xml; charset=utf-8' },
  )
}
