import type { Database } from '#db/db'

/**
 * Fills the library with generated items, within the database: titles and descriptions of common and rare words,
 * categories in uneven shares, dates over a year.
 */
export async function fillLibrary(db: Database, count: number): Promise<void> {
  const [row] = await db.sql<{ count: number }[]>`select count(*)::int as count from stories`
  for (let from = row?.count ?? 0; from < count; from += batch)
    await addItems(db, from + 1, Math.min(from + batch, count))
  await db.sql.unsafe('vacuum analyze stories')
}

/** Fills the members' table in the same way, with a few given names and a thousand family names. */
export async function fillMembers(db: Database, count: number): Promise<void> {
  const slice = 10 * batch
  const [row] = await db.sql<{ count: number }[]>`
    select count(*)::int as count from users where email like 'member%@example.com'`
  for (let from = row?.count ?? 0; from < count; from += slice)
    await db.sql.unsafe(`
      insert into users (id, email, first_name, last_name, created_at)
      select gen_random_uuid(), 'member' || n || '@example.com', (array['Mara', 'Ines', 'Jonas', 'Tom', 'Lea'])[1 + n % 5],
        'Lamp' || (n % 997), now() - n * interval '1 minute'
      from generate_series(${from + 1}, ${Math.min(from + slice, count)}) as n`)
  await db.sql.unsafe('vacuum analyze users')
}

/**
 * Lets a tenth of the members save fifteen items each. If only one member had saved any, PostgreSQL would expect the
 * same items to recur and memoize them in vain.
 */
export async function fillSaved(db: Database): Promise<void> {
  const [row] = await db.sql<{ saved: number; members: number }[]>`
    select (select count(*) from favorites)::int as saved, count(*)::int as members from users`
  const { saved = 0, members = 0 } = row ?? {}
  const savers = Math.floor(members / 10)
  const slice = batch / 10
  for (let from = Math.floor(saved / 15); from < savers; from += slice)
    await db.sql.unsafe(`
      with items as (select array_agg(id) as ids from (select id from stories where status = 'published' limit 50000) as listed),
        savers as (select id, row_number() over () as n from (select id from users order by id limit ${Math.min(slice, savers - from)} offset ${from}) as members)
      insert into favorites (id, user_id, story_id, created_at)
      select gen_random_uuid(), savers.id, ids[1 + (n * 7919 + k * 104729) % cardinality(ids)], now() - k * interval '1 day'
      from savers, items, generate_series(1, 15) as k on conflict do nothing`)
  await db.sql.unsafe('vacuum analyze favorites')
}

/** Adds a report to each of the first items. Every third one is decided. */
export async function fillReports(db: Database, count: number): Promise<void> {
  await db.sql.unsafe(`
    insert into content_flags (id, story_id, flag_type, flag_reason, created_at, resolved_at, moderator_action, moderator)
    select gen_random_uuid(), id, (array['not_as_described', 'wrong_category', 'audio_fault'])[1 + n % 3], 'The third voice is another one.',
      now() - n * interval '1 minute', case when n % 3 = 0 then now() end, case when n % 3 = 0 then 'approve' end, case when n % 3 = 0 then 'operator' end
    from (select id, row_number() over (order by id)::int as n from stories limit ${count}) as reported`)
  await db.sql.unsafe('vacuum analyze content_flags')
}

/** Adds narration jobs for the first items. Nine of ten are done, the others have failed or are queued for tomorrow. */
export async function fillJobs(db: Database, count: number): Promise<void> {
  await db.sql.unsafe(`
    insert into jobs (id, kind, dedupe_key, story_id, payload, state, progress, error, run_after, created_at, started_at, finished_at)
    select gen_random_uuid(), 'narrate', 'bench ' || n, id, '{}', state, case when state = 'done' then 1 else 0 end,
      case when state = 'failed' then 'The voice did not answer.' end, now() + interval '1 day', now() - n * interval '1 minute',
      case when state <> 'queued' then now() - n * interval '1 minute' end, case when state <> 'queued' then now() - n * interval '50 seconds' end
    from (
      select id, n, case n % 20 when 0 then 'failed' when 1 then 'queued' else 'done' end as state
      from (select id, row_number() over (order by id)::int as n from stories limit ${count}) as numbered
    ) as narrated`)
  await db.sql.unsafe('vacuum analyze jobs')
}

/** As many as one statement can insert within the statement timeout. */
const batch = 10_000

async function addItems(db: Database, first: number, last: number): Promise<void> {
  await db.sql.unsafe(`
    insert into stories (id, slug, title, title_key, type, source, status, description, excerpt, content, word_count, categories, duration, voice, narrator_female, published_at, created_at, premium_content_id)
    select id, 'item-' || n, title, lower(title), case when n % 5 = 0 then 'flow' else 'story' end, 'pre_uploaded', 'published',
      'A ' || (array['quiet', 'slow', 'warm', 'late', 'soft'])[1 + n % 5] || ' evening with ' || (array['a ferry', 'two cups', 'the rain', 'a letter', 'an orchard', 'a lamp', 'the sea'])[1 + n % 7] || ' and word' || (n % 9973),
      'It began with ' || (array['a knock', 'a song', 'a wrong number', 'a borrowed coat'])[1 + n % 4] || '.',
      repeat('She lit the lamp and waited for the boat. ', 12), 100,
      case n % 10 when 0 then '{bdsm,roleplay}' when 1 then '{lesbian,romantic}' when 2 then '{gay}' when 3 then '{"one night stand"}' when 4 then '{roleplay}' else '{romantic,"man and woman"}' end::text[],
      5 + n % 40, 'female', 'rachel', now() - (n % 525600) * interval '1 minute', now(), id
    from (select n, gen_random_uuid() as id, 'The ' || (array['Night', 'Paper', 'Silver', 'Winter', 'Open', 'Second'])[1 + n % 6] || ' ' || (array['Ferry', 'Orchard', 'Letter', 'Window', 'Lamp'])[1 + n % 5] || ' ' || n as title from generate_series(${first}, ${last}) as n) as made`)
}
