import { sql } from 'drizzle-orm'
import type { Database } from '#db/db'
import { readActivity } from '#src/trending/activity'
import { rank, timeframeHours, timeframes } from '#src/trending/rules'
import { fillLibrary } from './library'
import { figure, heading } from './report'
import { withServerAndDatabase } from './servers'
import { vacuum } from './vacuum'

const rounds = 5

/** What one ranking of a timeframe costs over so many items that were seen today: reading them, then ordering them. */
export async function benchRankings(): Promise<void> {
  heading(`A ranking by the number of items in it, median of ${rounds}`)
  await withServerAndDatabase(async (_, db) => {
    for (const count of [1_000, 10_000, 100_000]) {
      await fillLibrary(db, count)
      await seeAll(db)
      for (const timeframe of timeframes) {
        const times: { readMs: number; rankMs: number }[] = []
        for (let round = 0; round < rounds; round += 1) {
          const startedAt = performance.now()
          const { items, window } = await readActivity(db, timeframe, new Date())
          const readAt = performance.now()
          rank(items, window, timeframeHours[timeframe])
          times.push({ readMs: readAt - startedAt, rankMs: performance.now() - readAt })
        }
        const name = `${timeframe}, ${count.toLocaleString('en')} items`
        figure(`${name}: read`, medianOf(times.map(({ readMs }) => readMs)), 'ms')
        figure(`${name}: ordered in the program`, medianOf(times.map(({ rankMs }) => rankMs)), 'ms')
      }
    }
  })
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

/** Each item that nobody has seen yet gets a view of today. */
async function seeAll(db: Database): Promise<void> {
  await db.execute(sql`
    insert into playback_sessions (id, session_id, story_id, day, created_at)
    select gen_random_uuid(), 'visitor', stories.id, (now() at time zone 'UTC')::date, now()
    from stories left join item_totals on item_totals.story_id = stories.id where item_totals.story_id is null`)
  await vacuum(db)
}
