import type { Database } from '#db/db'
import { userContentPageItems } from '#src/my-content/page-queries'
import { urls } from '#src/urls'
import { fillLibrary } from './fill'
import { joinNocturne } from './join'
import { figure, heading } from './report'
import { withServerAndDatabase } from './servers'

const items = 2_000
const rounds = 40
const pages = [
  urls.myContent(),
  urls.myContent({ sort: 'duration' }),
  urls.myContent({ type: 'flow', sort: 'oldest' }),
  urls.myContent({ q: 'orchard' }),
  urls.myContent({ page: items / userContentPageItems }),
]

/**
 * Measures My Content of a member who has saved a whole library: the first fifty are shown, and every count is exact.
 */
export async function benchMyContent(): Promise<void> {
  heading(`My Content with ${items.toLocaleString('en')} items, one request at a time`)
  await withServerAndDatabase(async ({ url }, db) => {
    await fillLibrary(db, items)
    const cookie = await joinAndSaveAll(url, db)
    for (const path of pages) {
      const times: number[] = []
      for (let round = 0; round <= rounds; round += 1) {
        const startedAt = performance.now()
        const response = await fetch(url + path, { headers: { cookie } })
        const markup = await response.text()
        if (round > 0) times.push(performance.now() - startedAt)
        if (round === 0 && path === urls.myContent()) checkFirst(markup)
      }
      const p95 = times.toSorted((a, b) => a - b)[Math.floor(rounds * 0.95)] ?? 0
      figure(`${path}, p95`, p95, 'ms', { atMost: 100 })
    }
  })
}

async function joinAndSaveAll(url: string, db: Database): Promise<string> {
  const cookie = await joinNocturne(url)
  await db.sql.unsafe(`
    insert into favorites (id, user_id, story_id, created_at)
    select gen_random_uuid(), users.id, stories.id, stories.published_at from users, stories`)
  await db.sql.unsafe('vacuum analyze favorites')
  return cookie
}

function checkFirst(markup: string): void {
  const words = markup.replaceAll('<!-- -->', '')
  const shown = words.match(/<article class="item"/g)?.length
  const counts = ['All Content', 'Stories', 'Flows'].map(
    (name) => words.match(new RegExp(`${name} \\((\\d+)\\)`))?.[1],
  )
  const expected = [items, items * 0.8, items * 0.2].map(String)
  if (shown !== userContentPageItems || `${counts}` !== `${expected}`)
    throw new Error(
      `${shown} of ${userContentPageItems} are shown, and the counts are ${counts} instead of ${expected}.`,
    )
}
