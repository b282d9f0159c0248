import { fillJobs, fillLibrary, fillMembers, fillReports } from './fill'
import { figure, heading } from './report'
import { benchToken, withServerAndDatabase } from './servers'

const size = 100_000
/** The number of reports and of jobs. */
const rows = 10_000
/** The console's pages, and the two member pages that may list thousands of items. */
const rooms = [
  '/admin',
  '/admin?tab=overview',
  '/premium-content',
  '/premium-content?q=ferry',
  '/premium-content?category=romantic&status=published',
  '/analytics',
  '/analytics?tab=content&days=365',
  '/members',
  '/members?q=member4711',
  '/challenge-editor',
  '/training',
  '/moderation',
  '/jobs',
  '/audit',
]
const rounds = 20

/**
 * Measures every page of the console with 100,000 items, as many members, and 10,000 reports and jobs, one request at a
 * time.
 */
export async function benchConsole(): Promise<void> {
  heading(
    `The console's pages, ${size.toLocaleString('en')} items and members, ${rows.toLocaleString('en')} reports and jobs, one at a time`,
  )
  await withServerAndDatabase(async (server, db) => {
    await fillLibrary(db, size)
    await fillMembers(db, size)
    await fillReports(db, rows)
    await fillJobs(db, rows)
    for (const path of rooms) {
      const times: number[] = []
      for (let round = 0; round <= rounds; round += 1) {
        const startedAt = performance.now()
        const response = await fetch(server.url + path, {
          headers: { authorization: `Bearer ${benchToken}` },
        })
        await response.text()
        if (!response.ok) throw new Error(`${path} answered ${response.status}`)
        if (round > 0) times.push(performance.now() - startedAt)
      }
      const sorted = times.toSorted((a, b) => a - b)
      figure(`${path}, p95`, sorted[Math.floor(rounds * 0.95)] ?? 0, 'ms', { atMost: 100 })
    }
  })
}
