import { afterEach, describe, expect, setSystemTime, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { unzipSync } from 'fflate'
import { type Browser, memberBrowser, operatorBrowser, testApp } from '#src/testing/app'
import { rejectionOf } from '#src/testing/rejection'
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

describe('a slow download of an export', () => {
  afterEach(() => void setSystemTime())

  /** Reads the beginning of a download, does `work`, and reads the rest a minute later. */
  async function readSlowly(who: Browser, path: string, work: () => Promise<unknown>): Promise<Uint8Array> {
    const answer = await who.call(path)
    let isBegun = false
    const slow = new TransformStream<Uint8Array, Uint8Array>({
      async transform(chunk, controller) {
        controller.enqueue(chunk)
        if (isBegun) return
        isBegun = true
        await work()
        setSystemTime(new Date(Date.now() + 60_000))
      },
    })
    return new Response(answer.body?.pipeThrough(slow)).bytes()
  }
  const signOut = (who: Browser, path: string) => async () =>
    expect((await who.call(path, { method: 'POST' })).status).toBe(200)

  test('is completed while the session is open', async () => {
    const mara = await memberBrowser(app, 'mara@example.com')
    const files = unzipSync(await readSlowly(mara, '/api/user/export', async () => {}))
    expect(Object.keys(files)).toContain('data/users.json')
  })

  test('breaks off after the end of the member’s session', async () => {
    const jonas = await memberBrowser(app, 'jonas@example.com')
    const reading = readSlowly(jonas, '/api/user/export', signOut(jonas, '/api/auth/logout'))
    expect(await rejectionOf(reading)).toMatchObject({ code: 'sign_in_required' })
  })

  test('breaks off after the end of the operator’s session', async () => {
    const ada = await operatorBrowser(app)
    const reading = readSlowly(ada, `/api/members/${anaId}/export`, signOut(ada, '/api/admin/logout'))
    expect(await rejectionOf(reading)).toMatchObject({ code: 'operator_required' })
  })
})
