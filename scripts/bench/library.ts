import type { Database } from '#db/db'

/**
 * Fills the library with made-up items, by the database itself: titles and descriptions of common and rare
 * words, categories in uneven shares, dates over a year.
 */
export async function fillLibrary(db: Database, count: number): Promise<void> {
  const [row] = await db.sql<{ count: number }[]>`select count(*)::int as count from stories`
  for (let from = row?.count ?? 0; from < count; from += batch)
    await addItems(db, from + 1, Math.min(from + batch, count))
  await db.sql.unsafe('vacuum analyze stories')
}

/** Fills the members' table likewise: a few given names, a thousand family names. */
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

/** As many as fit into the statement timeout. */
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
