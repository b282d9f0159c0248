import { sql } from 'drizzle-orm'
import type { Database } from '#db/db'

/** Writes that the program has acknowledged, and must never lose. Unanswered requests are not included. */
export type Ledger = {
  members: Set<string>
  /** By member and content key: whether the item is a favourite. */
  favourites: Map<string, boolean>
  /** By member and item: the furthest acknowledged position, in seconds. */
  positions: Map<string, number>
  events: Set<string>
  items: Set<string>
  /** By item: its title since the last edit. */
  titles: Map<string, string>
  /** By batch. While an undo is requested, and for ever if it gets no response, its outcome is unknown: `asked`. */
  batches: Map<string, { imported: number; state: 'applied' | 'asked' | 'undone' }>
  /** By item: the SHA-256 of the last uploaded audio. */
  narrations: Map<string, string>
  reports: Map<string, 'reported' | 'removed'>
  /** Items whose narration was accepted as a job. */
  jobs: Set<string>
}

export function openLedger(): Ledger {
  return {
    members: new Set(),
    favourites: new Map(),
    positions: new Map(),
    events: new Set(),
    items: new Set(),
    titles: new Map(),
    batches: new Map(),
    narrations: new Map(),
    reports: new Map(),
    jobs: new Set(),
  }
}

export function countAcknowledged(ledger: Ledger): number {
  return Object.values(ledger).reduce((sum, each) => sum + each.size, 0)
}

/** Compares the ledger with the database. Returns a sentence for each thing that is lost. */
export async function findLost(ledger: Ledger, db: Database): Promise<string[]> {
  const [emails, favourites, positions, events, items, titles, batches, narrations, reports, jobs] =
    await Promise.all([
      column(db, 'select email from users'),
      column(db, `select user_id || ' ' || story_id from favorites`),
      pairs(db, `select anon_id || ' ' || content_id, last_position_sec from content_progress`),
      column(db, 'select id from analytics_events'),
      pairs(db, 'select id, status from stories'),
      pairs(db, 'select id, title from stories'),
      pairs(
        db,
        `select id, state || ' ' || (select count(*) from import_changes where import_id = imports.id and action = 'created') from imports`,
      ),
      pairs(db, "select story_id, audio_hash from narrations where is_current and voice = 'female'"),
      pairs(db, `select id, coalesce(moderator_action, 'reported') from content_flags`),
      column(db, 'select story_id from jobs where story_id is not null'),
    ])
  return [
    ...missing('member', ledger.members, emails),
    ...[...ledger.favourites].flatMap(([key, isThere]) =>
      favourites.has(key) === isThere ? [] : [`favourite ${key} should be ${isThere ? 'there' : 'gone'}`],
    ),
    ...[...ledger.positions].flatMap(([key, seconds]) => {
      const stored = Number(positions.get(key) ?? -1)
      return stored >= seconds
        ? []
        : [`position of ${key}: ${seconds} s were acknowledged, ${stored} s are kept`]
    }),
    ...missing('event', ledger.events, events),
    ...missing('item', ledger.items, new Set(items.keys())),
    ...[...ledger.titles].flatMap(([id, title]) =>
      titles.get(id) === title ? [] : [`title of ${id}: ${title} became ${titles.get(id)}`],
    ),
    ...[...ledger.batches].flatMap(([id, { imported, state }]) => {
      const stored = batches.get(id)
      return state === 'asked' || stored === `${state} ${imported}`
        ? []
        : [`import ${id}: ${state} ${imported} became ${stored}`]
    }),
    ...[...ledger.narrations].flatMap(([id, hash]) =>
      narrations.get(id) === hash ? [] : [`audio of ${id}: ${hash} became ${narrations.get(id)}`],
    ),
    ...[...ledger.reports].flatMap(([id, state]) => {
      const stored = reports.get(id)
      return stored !== undefined && (state === 'reported' || /remove/.test(stored))
        ? []
        : [`report ${id}: ${state} became ${stored}`]
    }),
    ...missing('job', ledger.jobs, jobs),
  ]
}

/** Finds states that must never occur: a partial import, audio that nobody can hear, a job that was done twice. */
export async function findBroken(db: Database): Promise<string[]> {
  const rules: Record<string, string> = {
    'items of an import that is not there': `select id from stories where import_id is not null
      and not exists (select from imports where imports.id = import_id)`,
    'imports that made fewer items than they say': `select id from imports where imported >
      (select count(*) from import_changes where import_id = imports.id and action = 'created')`,
    'narrations without their audio file': `select id from narrations where audio_hash is not null
      and not exists (select from audio_files where hash = audio_hash)`,
    'voices with two current narrations': `select story_id from narrations where is_current group by story_id, voice having count(*) > 1`,
    'titles of several items': 'select title_key from stories group by title_key having count(*) > 1',
    'items with other votes than they count': `select id from stories where array[upvotes, downvotes] is distinct from
      (select array[count(*) filter (where vote_type = 'up'), count(*) filter (where vote_type = 'down')]::int[] from votes where story_id = stories.id)`,
    // The same text narrated again gives the same audio; the existing narration stays, with the job that made it first.
    'jobs that ended without their narration': `select id from jobs where kind = 'narrate' and state = 'done'
      and not exists (select from narrations where story_id = jobs.story_id and audio_hash = jobs.result ->> 'hash')`,
    'members with one address twice': 'select lower(email) from users group by 1 having count(*) > 1',
  }
  const broken: string[] = []
  for (const [what, query] of Object.entries(rules)) {
    const rows = await db.execute(sql.raw(query))
    if (rows.length > 0) broken.push(`${rows.length} ${what}`)
  }
  return broken
}

function missing(what: string, acknowledged: ReadonlySet<string>, stored: ReadonlySet<string>): string[] {
  return [...acknowledged].flatMap((each) => (stored.has(each) ? [] : [`${what} ${each}`]))
}

async function column(db: Database, query: string): Promise<Set<string>> {
  const rows = await db.execute<Record<string, unknown>>(sql.raw(query))
  return new Set(rows.map((row) => String(Object.values(row)[0])))
}

async function pairs(db: Database, query: string): Promise<Map<string, string>> {
  const rows = await db.execute<Record<string, unknown>>(sql.raw(query))
  return new Map(
    rows.map((row) => {
      const [key, value] = Object.values(row)
      return [String(key), String(value)]
    }),
  )
}
