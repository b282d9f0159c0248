import { expect, test } from 'bun:test'
import { type SQL, sql } from 'drizzle-orm'
import { newId } from '#db/columns'
import { testDatabase } from '#db/testing'
import { fc } from '#src/testing/properties'
import { windowStart } from './activity'
import { listRanked } from './list'
import { refreshRankings } from './refresh'
import {
  type ContentType,
  contentTypes,
  isRising,
  orders,
  type Timeframe,
  timeframeHours,
  timeframes,
} from './rules'
import { addViews } from './testing'
import { type Activity, inOrder, rank } from './testing-rank'

const db = await testDatabase()
const items = Array.from({ length: 14 }, newId)
const members = Array.from({ length: 6 }, newId)
/** Hours by which the rankings' clock is ahead of the database's, so that the windows move past earlier activity. */
let passedHours = 0

await db.execute(sql`
  insert into users (id, email) select id, id || '@example.com' from unnest(${idsOf(members)}) as id`)
await db.execute(sql`
  insert into stories (id, type, source, status, slug, title, title_key, content, published_at)
  select id, case when at % 3 = 0 then 'flow' else 'story' end, 'pre_uploaded', 'published', 'lamp-' || at, 'The Lamp', 'the lamp', 'She lit it.',
    now() - make_interval(hours => (at * at * 5)::int)
  from unnest(${idsOf(items)}) with ordinality as made(id, at)`)

async function refresh(): Promise<void> {
  await refreshRankings(db, { now: sql`statement_timestamp() + make_interval(hours => ${passedHours}::int)` })
}

async function compareAll(type: ContentType = 'all'): Promise<void> {
  for (const timeframe of timeframes) await compare(timeframe, type)
}

const view = (id: string, ago: number) => addViews(db, id, 3, ago - passedHours)
const vote = (id: string, by: string, type: string, ago: number) =>
  db.execute(sql`
    insert into votes (id, story_id, user_id, vote_type, created_at)
    values (gen_random_uuid(), ${id}::uuid, ${by}::uuid, ${type}, ${before(ago)})
    on conflict (story_id, user_id) do update set vote_type = excluded.vote_type, created_at = excluded.created_at`)
const rate = (id: string, by: string, rating: number, ago: number) =>
  db.execute(sql`
    insert into story_feedback (id, story_id, user_id, rating, created_at)
    values (gen_random_uuid(), ${id}::uuid, ${by}::uuid, ${rating}, ${before(ago)})
    on conflict (story_id, user_id, feedback_type) do update set rating = excluded.rating, created_at = excluded.created_at`)
const publish = (id: string, ago: number) =>
  db.execute(sql`update stories set published_at = ${before(ago)} where id = ${id}::uuid`)

test('rankings stay correct as time passes window edges, quarter edges and the end of ageing', async () => {
  const [a = '', b = '', c = '', d = '', e = '', f = '', g = '', h = ''] = items
  const [member = ''] = members
  await view(a, 5)
  await view(b, 23)
  await vote(c, member, 'up', 23)
  await rate(d, member, 4, 23)
  await publish(e, 23)
  await publish(f, -1)
  for (const id of [e, f]) await view(id, 1)
  await view(g, 24 * 6)
  await view(h, 30)
  await refresh()
  await compareAll()
  passedHours += 2
  await refresh()
  await compareAll()
  passedHours += 48
  await refresh()
  await compareAll()
})

test('rankings stay correct when one item has stopped ageing and another has not', async () => {
  const [, , , , old = '', , , young = ''] = items
  await publish(old, 23)
  await publish(young, 0)
  // Seven hours ago is inside of the window and outside of its last quarter, before and after the pause.
  for (let times = 0; times < 14; times += 1) await view(old, 7)
  await view(young, 7)
  await refresh()
  passedHours += 15
  await refresh()
  await compareAll('story')
})

test('rankings stay correct when every rating is the lowest, so that items without votes score 0', async () => {
  const [a = ''] = items
  for (const rating of [5, 1]) {
    await db.execute(sql`delete from story_feedback`)
    for (const by of members) await rate(a, by, rating, 1)
    await view(a, 1)
    await refresh()
    await compareAll()
  }
  const ranked = await listRanked(db, { timeframe: '24h', type: 'all', order: 'trending' })
  expect(ranked.find(({ id }) => id === a)?.score).toBe(0)
})

const item = fc.constantFrom(...items)
const member = fc.constantFrom(...members)
const contentType = fc.constantFrom(...contentTypes)
/** Many instants, with those at the edges of windows and quarters. */
const hoursAgo = fc.oneof(fc.nat(30), fc.nat(800), fc.constantFrom(0, 6, 24, 42, 168, 180, 720))

const change = fc.oneof(
  fc.tuple(item, hoursAgo).map((of) => () => view(...of)),
  fc
    .tuple(item)
    .map(([id]) => run(sql`delete from playback_sessions where story_id = ${id}::uuid and random() < 0.3`)),
  fc.tuple(item, member, fc.constantFrom('up', 'down'), hoursAgo).map((of) => () => vote(...of)),
  fc
    .tuple(item, member)
    .map(([id, by]) => run(sql`delete from votes where story_id = ${id}::uuid and user_id = ${by}::uuid`)),
  fc.tuple(item, member, fc.integer({ min: 1, max: 5 }), hoursAgo).map((of) => () => rate(...of)),
  fc.tuple(member).map(([by]) => run(sql`delete from story_feedback where user_id = ${by}::uuid`)),
  fc
    .tuple(item, fc.constantFrom('published', 'published', 'removed', 'held'))
    .map(([id, status]) => run(sql`update stories set status = ${status} where id = ${id}::uuid`)),
  fc.tuple(item, fc.integer({ min: -30, max: 800 })).map((of) => () => publish(...of)),
  fc
    .tuple(item, fc.constantFrom('story', 'flow'))
    .map(([id, type]) => run(sql`update stories set type = ${type} where id = ${id}::uuid`)),
)

/** Hours that pass after the changes, in which nothing else happens. */
const pause = fc.oneof(fc.constant(0), fc.nat(20), fc.nat(200))

test('rankings equal the formula on the raw rows after any changes and any pause', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(change, { minLength: 4, maxLength: 16 }),
      pause,
      contentType,
      async (changes, hours, type) => {
        for (const make of changes) await make()
        await refresh()
        passedHours += hours
        await refresh()
        await compareAll(type)
      },
    ),
    // Each run continues with the library of the one before.
    { numRuns: 6, endOnFailure: true },
  )
  await db.execute(sql`delete from stories where slug < 'lamp-5'`)
  await refresh()
  await compareAll()
})

async function compare(timeframe: Timeframe, type: ContentType): Promise<void> {
  const [state] = await db.execute<{
    asOf: string
    items: number
    scored: number
    views: string
    upvotes: string
  }>(sql`
    select as_of as "asOf", items, scored, views, upvotes from trending_windows where timeframe = ${timeframe}`)
  const now = new Date(state?.asOf ?? '')
  const { activities, upvotes } = await readActivity(timeframe, now)
  const { from, late } = windowStart(timeframe, now)
  const hours = timeframeHours[timeframe]
  const window =
    hours === null
      ? null
      : {
          hours: (now.getTime() - from.getTime()) / 3_600_000,
          lateHours: (now.getTime() - late.getTime()) / 3_600_000,
        }
  const expected = rank(activities, window, hours)
  expect({ ...state, views: Number(state?.views), upvotes: Number(state?.upvotes) }).toMatchObject({
    items: expected.length,
    scored: expected.filter(({ score }) => score > 0).length,
    views: expected.reduce((sum, { views }) => sum + views, 0),
    upvotes,
  })
  for (const order of orders) {
    const found = await listRanked(db, { timeframe, type, order })
    const ordered = inOrder(expected, type, order)
    expect(found.map(({ id }) => id)).toEqual(ordered.map(({ id }) => id))
    // A limit of one returns the same first item.
    const [first] = await listRanked(db, { timeframe, type, order, limit: 1 })
    expect(first).toEqual(found[0])
    for (const [at, { score, bayesianRating, ...each }] of found.entries()) {
      const same = ordered[at]
      if (!same) throw new Error('There is one item too many.')
      expect(Math.abs(score - same.score)).toBeLessThan(1e-9)
      expect(Math.abs(bayesianRating - same.bayesianRating)).toBeLessThan(1e-9)
      const { views, lateViews, ratings, ratingSum, isHot } = same
      expect(each).toMatchObject({ views, lateViews, ratings, ratingSum, isHot })
      expect(isRising(each, hours === null ? null : each)).toBe(same.isRising)
    }
  }
}

/**
 * The activity in a window, counted from single votes, views and ratings without any stored sum; equal items in
 * descending order of ids.
 */
async function readActivity(
  timeframe: Timeframe,
  now: Date,
): Promise<{ activities: Activity[]; upvotes: number }> {
  const { from, late } = windowStart(timeframe, now)
  const since = (date: Date, day: SQL, instant: SQL) =>
    timeframe === '24h'
      ? sql`${instant} >= ${date.toISOString()}::timestamptz`
      : sql`${day} >= ${date.toISOString().slice(0, 10)}::date`
  const createdSince = (date: Date) =>
    since(date, sql`(created_at at time zone 'UTC')::date`, sql`created_at`)
  const playedSince = (date: Date) => since(date, sql`day`, sql`created_at`)
  const rows = await db.execute<Activity & { newUpvotes: number; newRatings: number }>(sql`
    select * from stories cross join lateral (
      select stories.id, type, (extract(epoch from ${now.toISOString()}::timestamptz - published_at) / 3600)::float8 as "ageHours",
        (select count(*) from votes where story_id = stories.id and vote_type = 'up')::int as upvotes,
        (select count(*) from votes where story_id = stories.id and vote_type = 'down')::int as downvotes,
        (select count(*) from votes where story_id = stories.id and vote_type = 'up' and ${createdSince(from)})::int as "newUpvotes",
        (select count(rating) from story_feedback where story_id = stories.id)::int as ratings,
        (select coalesce(sum(rating), 0) from story_feedback where story_id = stories.id)::int as "ratingSum",
        (select count(rating) from story_feedback where story_id = stories.id and ${createdSince(from)})::int as "newRatings",
        (select count(*) from playback_sessions where story_id = stories.id and ${playedSince(from)})::int as views,
        ${timeframe === 'all' ? sql`0` : sql`(select count(*) from playback_sessions where story_id = stories.id and ${playedSince(late)})::int`} as "lateViews"
    ) as activity
    where status = 'published' and source = 'pre_uploaded' order by stories.id desc`)
  const active = rows.filter(({ views, newUpvotes, newRatings }) => views + newUpvotes + newRatings > 0)
  return {
    activities: active.map(
      ({ id, type, ageHours, upvotes, downvotes, ratings, ratingSum, views, lateViews }) => ({
        id,
        type,
        ageHours,
        upvotes,
        downvotes,
        ratings,
        ratingSum,
        views,
        lateViews,
      }),
    ),
    upvotes: active.reduce((sum, { newUpvotes }) => sum + newUpvotes, 0),
  }
}

function run(statement: SQL) {
  return () => db.execute(statement)
}

/** An instant some hours ago by the rankings' clock. */
function before(hours: number): SQL {
  return sql`now() + make_interval(hours => ${passedHours - hours}::int)`
}

function idsOf(ids: readonly string[]): SQL {
  return sql`${`{${ids.join(',')}}`}::uuid[]`
}
