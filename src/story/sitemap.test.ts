import { expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { stories } from '#db/schema'
import { browser, publishTestItem, testApp } from '#src/testing/app'
import { libraryChanged } from './library-changed'
import { batchItems, readSitemap, readSitemapFile } from './sitemap'

const { app, services } = await testApp()
const { db } = services
const publicUrl = 'https://stories.example'
const small = { db, publicUrl, itemsMax: 2 }
const placesIn = async (file: Blob | null) =>
  [...((await file?.text()) ?? '').matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, place = '']) => place)
const itemsIn = async (file: Blob | null) =>
  (await placesIn(file)).filter((place) => place.includes('/story/')).map((place) => place.split('/').at(-1))

test('a small library has a single sitemap file', async () => {
  await publishTestItem(services, { title: 'One' })
  expect(await itemsIn(await readSitemap(small))).toEqual(['one'])
  expect(await placesIn(await readSitemap(small))).toContain(`${publicUrl}/`)
  const visitor = browser(app)
  for (const path of ['/sitemap.xml', '/sitemap/1.xml']) {
    const answer = await visitor.call(path)
    expect(answer.headers.get('content-type')).toBe('application/xml; charset=utf-8')
    expect(await answer.text()).toContain('/story/one</loc>')
  }
  expect((await visitor.call('/sitemap/2.xml')).status).toBe(404)
})

test('a larger library has an index of sitemap files, with each item in one of them', async () => {
  for (const title of ['Two', 'Three', 'Four', 'Five']) await publishTestItem(services, { title })
  const index = await readSitemap(small)
  expect(await index.text()).toContain('<sitemapindex ')
  expect(await placesIn(index)).toEqual([1, 2, 3].map((number) => `${publicUrl}/sitemap/${number}.xml`))
  const files = await Promise.all([1, 2, 3].map((number) => readSitemapFile(small, number)))
  expect(await Promise.all(files.map(itemsIn))).toEqual([['one', 'two'], ['three', 'four'], ['five']])
  for (const number of [0, 4, 1.5]) expect(await readSitemapFile(small, number)).toBeNull()
})

test('sitemap files are cached until the library changes', async () => {
  expect(await readSitemap(small)).toBe(await readSitemap(small))
  expect(await readSitemapFile(small, 3)).toBe(await readSitemapFile(small, 3))
  await db.update(stories).set({ status: 'removed' }).where(eq(stories.slug, 'five'))
  await libraryChanged(db)
  expect(await placesIn(await readSitemap(small))).toHaveLength(2)
  expect(await readSitemapFile(small, 3)).toBeNull()
})

test('a sitemap longer than a batch is complete, even if all items have the same time', async () => {
  const many = 2 * batchItems + 1
  await db.delete(stories)
  await db.execute(sql`
    insert into stories (id, type, source, status, slug, title, title_key, published_at)
    select gen_random_uuid(), 'story', 'pre_uploaded', 'published', 'many-' || n, 'Many', 'many', now()
    from generate_series(1, ${many}::int) as n`)
  await libraryChanged(db)
  const names = await itemsIn(await readSitemap({ db, publicUrl }))
  expect([names.length, new Set(names).size]).toEqual([many, many])
})
