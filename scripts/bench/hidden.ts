import { urls } from '#src/urls'
import { fillLibrary } from './fill'
import { joinNocturne } from './join'
import { figure, heading } from './report'
import { withServerAndDatabase } from './servers'

const items = 100_000
const rounds = 30
const hidden = { hiddenCategories: ['bdsm', 'gay'], hiddenWords: ['word4711', 'letter', 'borrowed coat'] }
const paths = [
  '/api/content?source=pre_uploaded&limit=50',
  '/api/content?source=pre_uploaded&limit=50&categories=romantic&type=story',
  '/api/content?source=pre_uploaded&limit=50&q=ferry',
  '/api/content?source=pre_uploaded&limit=50&sort=oldest',
  urls.explore(),
  urls.stories(),
]

/**
 * Measures the lists of a member who hides two categories and three words, one of which occurs in every fifth item. No
 * two members hide the same, so no answer is cached for the next.
 */
export async function benchHidden(): Promise<void> {
  heading(`Lists of a member who hides some of ${items.toLocaleString('en')} items, one at a time`)
  await withServerAndDatabase(async ({ url }, db) => {
    await fillLibrary(db, items)
    await checkHidden(url)
  })
}

export async function checkHidden(url: string): Promise<void> {
  const cookie = await joinNocturne(url)
  const saved = await fetch(`${url}/api/user/settings`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', cookie },
    body: JSON.stringify(hidden),
  })
  if (!saved.ok) throw new Error(`Hiding answered ${saved.status}: ${await saved.text()}`)
  for (const path of paths) {
    const times: number[] = []
    for (let round = 0; round <= rounds; round += 1) {
      const startedAt = performance.now()
      const response = await fetch(url + path, { headers: { cookie } })
      const shown = await response.text()
      if (!response.ok) throw new Error(`${path} answered ${response.status}`)
      if (/The \w+ Letter/.test(shown)) throw new Error(`${path} shows what is hidden.`)
      times.push(performance.now() - startedAt)
    }
    const [first = 0, ...later] = times
    figure(`${path}, asked for the first time`, first, 'ms')
    figure(`${path}, p95`, later.toSorted((a, b) => a - b)[Math.floor(rounds * 0.95)] ?? 0, 'ms', {
      atMost: 100,
    })
  }
}
