import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { unzipSync } from 'fflate'
import { memberBrowser, testApp } from '#src/testing/app'
import { exportMember } from './export'

const { app, services } = await testApp()
const { db } = services
const ana = await memberBrowser(app, 'ana@example.com')
const { id: anaId } = ana
const saved = 2_000
await db.execute(sql`
  insert into stories (id, title, title_key, slug, source, status, content)
  select gen_random_uuid(), 'Lamp ' || n, 'lamp ' || n, 'lamp-' || n, 'pre_uploaded', 'published', 'She lit it.'
  from generate_series(1, ${saved}::int) as n`)
await db.execute(sql`
  insert into favorites (id, user_id, story_id) select gen_random_uuid(), ${anaId}, id from stories where slug like 'lamp-%'`)

/** Exports and returns the ids of the favourites. `work` runs once, after the first of them have been read. */
async function exportFavourites(work: () => Promise<unknown>): Promise<string[]> {
  const { zip } = await exportMember(services, anaId)
  let isBegun = false
  const watched = new TransformStream<Uint8Array, Uint8Array>({
    async transform(chunk, controller) {
      controller.enqueue(chunk)
      if (isBegun || !new TextDecoder().decode(chunk).includes('"story_id"')) return
      isBegun = true
      await work()
    },
  })
  const files = unzipSync(await new Response(zip.pipeThrough(watched)).bytes())
  const rows: { id: string }[] = JSON.parse(new TextDecoder().decode(files['data/favorites.json']))
  return rows.map(({ id }) => id)
}

test('an export contains each row once, even rows changed while it is read', async () => {
  const ids = await exportFavourites(() =>
    db.execute(sql`
      update favorites set created_at = now()
      where ctid = any(array(select ctid from favorites order by ctid limit 200))`),
  )
  expect([ids.length, new Set(ids).size]).toEqual([saved, saved])
})

test('an export omits rows deleted while it is read and still completes', async () => {
  const ids = await exportFavourites(() => db.execute(sql`delete from favorites`))
  expect(ids.length).toBeGreaterThan(0)
  expect(ids.length).toBeLessThan(saved)
})
