import { fillLibrary } from './fill'
import { press } from './load'
import { figure, heading, notMeasured } from './report'
import { withServerAndDatabase } from './servers'

/** Visitors' queries of a large library: by category, by type, by common and rare words, from page to page. */
const queries = [
  ...['romantic', 'gay', 'bdsm', 'one%20night%20stand', 'lesbian'].flatMap((category) =>
    ['story', 'flow'].map((type) => `categories=${category}&type=${type}`),
  ),
  ...[
    'ferry',
    'lamp',
    'orchard',
    'silver%20letter',
    'rain',
    'word12',
    'word4711',
    'quiet%20ferry',
    'knock',
    'win',
  ].map((q) => `q=${q}`),
  ...['ferry', 'lamp', 'word77'].map((q) => `q=${q}&type=story&categories=romantic`),
  'sort=oldest',
  'sort=duration&type=story',
  'type=flow',
]

export async function benchContent(counts: readonly number[]): Promise<void> {
  await withServerAndDatabase(async (server, db) => {
    for (const count of counts) {
      heading(
        `GET /api/content as a visitor, ${count.toLocaleString('en')} items, ${queries.length} questions, 16 connections`,
      )
      await fillLibrary(db, count)
      const paths = queries.map((query) => `/api/content?source=pre_uploaded&limit=50&${query}`)
      const firstMs: number[] = []
      for (const path of paths) {
        const startedAt = performance.now()
        await (await fetch(server.url + path)).text()
        firstMs.push(performance.now() - startedAt)
      }
      const load = await press(server.url, { paths, seconds: 10 })
      const reference = await press(server.url, { paths: ['/readyz'], seconds: 3 })
      if (!load || !reference) return notMeasured('p95', 'wrk is not installed')
      figure('p95', load.p95Ms, 'ms', { atMost: count > 100_000 ? 50 : 20 })
      figure('the slowest of the first answers, when nothing is counted yet', Math.max(...firstMs), 'ms')
      figure('p50', load.p50Ms, 'ms')
      figure('requests', load.requestsPerSecond, 'req/s')
      figure('failures', load.failures, '', { atMost: 0 })
      figure('beside it: one bare query an answer (/readyz), p95', reference.p95Ms, 'ms')
    }
  })
}
