import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { libraryLimitMax } from '#src/story/rules'
import { operatorBrowser, testApp } from '#src/testing/app'
import { exportRows } from './export-rows'

const { app, services } = await testApp()
const { db } = services
const many = 2 * libraryLimitMax + 1

test('an export and the paged list have each item exactly once, even with equal timestamps', async () => {
  await db.execute(sql`
    insert into stories (id, source, status, slug, title, title_key, content)
    select gen_random_uuid(), 'pre_uploaded', 'published', 'many-' || n, 'Many', 'many', 'She lit it.'
    from generate_series(1, ${many}::int) as n`)
  const exported = (await Array.fromAsync(exportRows(db, {}))).flat().map(({ id }) => id)
  expect([exported.length, new Set(exported).size]).toEqual([many, many])

  const operator = await operatorBrowser(app)
  const read: string[] = []
  for (let path: string | undefined = `/api/premium-content?limit=${libraryLimitMax}`; path; ) {
    const answer: Response = await operator.call(path)
    expect(answer.headers.get('x-total-count')).toBe(String(many))
    for (const { id } of (await answer.json()).content) read.push(id)
    const next = answer.headers.get('link')?.match(/<([^>]+)>; rel="next"/)?.[1]
    path = next?.slice(services.env.publicUrl.length)
  }
  expect(read.toSorted()).toEqual(exported.toSorted())
})
