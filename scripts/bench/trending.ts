import type { Database } from '#db/db'
import { timeframes } from '#src/trending/rules'
import { fillLibrary } from './fill'
import { benchRankings } from './rankings'
import { figure, heading } from './report'
import { withServerAndDatabase } from './servers'
import { vacuum } from './vacuum'

const items = 5_000
const members = 20_000
const [views, votes, ratings] = [1_000_000, 1_000_000, 100_000]
const rounds = 20

/**
 * Measures trending over a million votes and a million views of the last 60 days: each call and page, and the time that
 * an uncached ranking takes.
 */
export async function benchTrending(): Promise<void> {
  heading(
    `Trending, ${views.toLocaleString('en')} views and ${votes.toLocaleString('en')} votes on ${items.toLocaleString('en')} items, one at a time`,
  )
  await withServerAndDatabase(async (server, db) => {
    await fillLibrary(db, items)
    await fillOpinions(db)
    const paths = timeframes.flatMap((timeframe) => [
      `/api/content/trending?timeframe=${timeframe}`,
      `/api/stats/trending?timeframe=${timeframe}`,
      `/api/creators/top?timeframe=${timeframe}`,
      `/trending?timeframe=${timeframe}`,
    ])
    for (const path of paths) {
      const times: number[] = []
      for (let round = 0; round <= rounds; round += 1) times.push(await timed(server.url + path))
      const [first = 0, ...later] = times
      if (path.startsWith('/api/content')) figure(`${path}, asked for the first time`, first, 'ms')
      figure(`${path}, p95`, later.toSorted((a, b) => a - b)[Math.floor(rounds * 0.95)] ?? 0, 'ms', {
        atMost: 50,
      })
    }
  })
  await benchRankings()
}

async function timed(url: string): Promise<number> {
  const startedAt = performance.now()
  const response = await fetch(url)
  await response.text()
  if (!response.ok) throw new Error(`${url} answered ${response.status}`)
  return performance.now() - startedAt
}

/**
 * Inserts views and votes over 60 days, unevenly spread over the items. In slices, because a statement has half a
 * minute.
 */
async function fillOpinions(db: Database): Promise<void> {
  await db.sql.unsafe(
    `insert into users (id, email) select gen_random_uuid(), 'member' || n || '@example.com' from generate_series(1, ${members}) as n`,
  )
  await db.sql.unsafe(`
    create unlogged table bench_items as select row_number() over (order by id) as at, id from stories;
    alter table bench_items add primary key (at);
    create unlogged table bench_members as select row_number() over (order by id) as at, id from users;
    alter table bench_members add primary key (at)`)
  const slices = 100
  for (let slice = 0; slice < slices; slice += 1) {
    await db.sql.unsafe(`
      insert into playback_sessions (id, session_id, story_id, day, created_at)
      select gen_random_uuid(), 'visitor ' || n, bench_items.id, (moment at time zone 'UTC')::date, moment
      from (select n, now() - random() * interval '60 days' as moment, 1 + floor(power(random(), 2) * ${items})::int as place
        from generate_series(${slice} * ${views / slices}, ${slice + 1} * ${views / slices} - 1) as n) as made
      join bench_items on bench_items.at = made.place`)
    await db.sql.unsafe(`
      insert into votes (id, story_id, user_id, vote_type, created_at)
      select gen_random_uuid(), bench_items.id, bench_members.id, case when random() < 0.8 then 'up' else 'down' end, now() - random() * interval '60 days'
      from (select 1 + (n / ${votes / items}) as place, 1 + (n::bigint * 7919) % ${members} as person
        from generate_series(${slice} * ${votes / slices}, ${slice + 1} * ${votes / slices} - 1) as n) as made
      join bench_items on bench_items.at = made.place join bench_members on bench_members.at = made.person
      on conflict do nothing`)
    await db.sql.unsafe(`
      insert into story_feedback (id, story_id, user_id, rating, created_at)
      select gen_random_uuid(), bench_items.id, bench_members.id, 1 + floor(sqrt(random()) * 5)::int, now() - random() * interval '60 days'
      from (select 1 + (n / ${ratings / items}) as place, 1 + (n::bigint * 7919) % ${members} as person
        from generate_series(${slice} * ${ratings / slices}, ${slice + 1} * ${ratings / slices} - 1) as n) as made
      join bench_items on bench_items.at = made.place join bench_members on bench_members.at = made.person
      on conflict do nothing`)
  }
  await vacuum(db)
}
