import { type SQL, sql } from 'drizzle-orm'
import { actorOf, deletedActor } from '#src/personal-data/existing-member'
import { renameVisitor } from '#src/personal-data/rename-visitor'
import { type AccessTable, accessTables } from '#src/personal-data/rules'
import { sha256 } from '#src/security/keyed-hash'

/** The owner of the rows: the member's id and present email. */
export type Who = { id: string; email: string | null }
/** `nobody` is a fresh id that replaces the member's in figures that stay. */
type Forgotten = { id: string; nobody: string }
/** The browser that stays signed in while the others end; both are null if none does. */
export type RetainedBrowser = { sid: string | null; deviceToken: string | null }

/**
 * Events that end access to an account. In a `recovery` a password is chosen through a mailed link. It is an
 * `unproven-recovery` if the address was never confirmed before, so that somebody else may have created the account.
 */
export type AccessEvent =
  | 'unproven-recovery'
  | 'recovery'
  | 'password-change'
  | 'email-change'
  | 'sign-out'
  | 'suspension'

type Access = {
  endedBy: readonly AccessEvent[]
  /** Condition of the rows that give access; by default all do. */
  only?: SQL
  /** Condition of the acting browser's rows, which are retained. */
  isRetained?: (browser: RetainedBrowser) => SQL
  /** The update that ends access if the row itself stays. */
  end?: SQL
}

type MemberTable = {
  /** Describes the table in the README of an export. */
  words: string
  /** Condition of the member's rows, on the table's own columns. */
  rows: (who: Who) => SQL
  /** Columns that are not exported, since they give access or are derived from others. */
  withheld?: readonly string[]
  /** Clears the table's history, which is also the first step of deleting the account; does nothing by default. */
  clear?: (who: Forgotten) => SQL[]
  /** How the rows are deleted with the account: by a foreign key, by clearing the history before, or by a statement. */
  remove: 'with the account' | 'cleared' | ((who: Who) => SQL)
  /** When the rows of a visitor who signs in become the member's; by default never. */
  merge?: 'sign-in' | 'rollup'
  /** How the rows give access to the account; null if they do not. */
  opens: Access | null
}

const byUser = ({ id }: Who) => sql`user_id = ${id}::uuid`
const byOwnItem = ({ id }: Who) => sql`story_id in (select id from stories where user_id = ${id}::uuid)`
/** The rolled-up rows of a member are stored by day, so the events are searched for the member's days. */
const onOwnDays = ({ id }: Pick<Who, 'id'>) => sql`visitor = ${id} and day = any(array(
  select distinct (timestamp at time zone 'UTC')::date from analytics_events where user_id = ${id}::uuid))`

/** Events that suggest an intruder with the old password or a session, who may have created such rows. */
const intruderEvents = [
  'unproven-recovery',
  'recovery',
  'password-change',
  'email-change',
  'sign-out',
] as const
const allEvents = [...intruderEvents, 'suspension'] as const

const userRows = { rows: byUser, remove: 'with the account', opens: null } as const
const ofOwnItem = { rows: byOwnItem, remove: 'with the account', opens: null } as const

/**
 * Every table with a member's data: how it is exported, cleared, deleted and merged, and how it gives access to the
 * account. Exports and statements follow this order: a table comes before those that its rows are found through.
 */
export const memberTables = {
  users: {
    words: 'your account: names, email, when it was made',
    rows: ({ id }) => sql`id = ${id}::uuid`,
    withheld: ['password', 'pin_hash', 'search'],
    remove: 'with the account',
    // The PIN may not be the owner's. A proven recovery leaves it: a fresh sign-in unlocks and removes it.
    opens: { endedBy: ['unproven-recovery'], only: sql`pin_hash is not null`, end: sql`pin_hash = null` },
  },
  user_settings: { ...userRows, words: 'your settings' },
  push_devices: {
    ...userRows,
    words: 'browsers that get notifications, and when one last did',
    withheld: ['sid', 'endpoint_hash', 'sealed'],
    opens: { endedBy: allEvents, isRetained: ({ sid }) => sql`sid = ${sid}` },
  },
  sessions: {
    ...userRows,
    words: 'where you are signed in',
    withheld: ['sid'],
    opens: { endedBy: allEvents, isRetained: ({ sid }) => sql`sid = ${sid}` },
  },
  login_events: {
    words: 'when and how you signed in',
    rows: byUser,
    remove: (who) => sql`delete from login_events where ${byUser(who)}`,
    opens: null,
  },
  identities: {
    ...userRows,
    words: 'accounts elsewhere that open yours',
    // Adding one requires a fresh sign-in and is announced by mail, so those of a confirmed address are the owner's.
    opens: { endedBy: ['unproven-recovery'] },
  },
  passkeys: {
    ...userRows,
    words: 'your passkeys: their names, and when each was used',
    withheld: ['credential_id', 'public_key'],
    opens: { endedBy: ['unproven-recovery'] },
  },
  remembered_devices: {
    ...userRows,
    words: 'devices that you signed in on, and when',
    withheld: ['token_hash'],
    opens: {
      endedBy: intruderEvents,
      isRetained: ({ deviceToken }) => sql`token_hash = ${deviceToken && sha256(deviceToken)}`,
    },
  },
  feed_tokens: {
    ...userRows,
    words: 'whether you have private feeds, and when they were last asked for',
    withheld: ['token_hash'],
    // The feeds of a suspended account are not found; they work again afterwards.
    opens: { endedBy: intruderEvents },
  },
  mail_tokens: {
    ...userRows,
    words: 'links in mails to you that still open something',
    withheld: ['token_hash'],
    // A link that confirms the present address does not open a session.
    opens: { endedBy: intruderEvents, only: sql`purpose <> 'verify'` },
  },
  sign_in_attempts: {
    ...userRows,
    words: 'ways in that you began to add in the last minutes',
    withheld: ['token_hash', 'secret'],
    opens: { endedBy: allEvents },
  },
  favorites: { ...userRows, words: 'your favorites' },
  votes: { ...userRows, words: 'your votes' },
  removed_comments: {
    ...userRows,
    words: 'comments that an operator removed since yesterday',
    rows: ({ id }) => sql`feedback_id in (select id from story_feedback where user_id = ${id}::uuid)`,
  },
  story_feedback: { ...userRows, words: 'your ratings and comments' },
  stories: { ...userRows, words: 'what you made', withheld: ['search', 'preview'] },
  scripts: { ...ofOwnItem, words: 'what you made, marked up to be spoken' },
  narrations: { ...ofOwnItem, words: 'the narrations of what you made' },
  narration_timings: {
    ...ofOwnItem,
    words: 'when each word of them is heard',
    rows: (who) => sql`narration_id in (select id from narrations where ${byOwnItem(who)})`,
  },
  episode_numbers: { ...ofOwnItem, words: 'the numbers by which discreet feeds call them' },
  jobs: { ...ofOwnItem, words: 'the work on them' },
  idempotent_calls: { ...userRows, words: 'calls of the last day that are not to be done twice' },
  drafts: { ...userRows, words: 'that you had a draft written' },
  challenge_enrolments: { ...userRows, words: 'your challenges' },
  content_progress: {
    words: 'where you stopped in each item',
    rows: ({ id }) => sql`anon_id = ${id}`,
    clear: ({ id }) => [sql`delete from content_progress where anon_id = ${id}`],
    remove: 'cleared',
    merge: 'sign-in',
    opens: null,
  },
  device_positions: {
    words: 'the same, for each device',
    rows: ({ id }) => sql`anon_id = ${id}`,
    clear: ({ id }) => [sql`delete from device_positions where anon_id = ${id}`],
    remove: 'cleared',
    merge: 'sign-in',
    opens: null,
  },
  openings: {
    words: 'which stories you opened',
    rows: ({ id }) => sql`reader_id = ${id}`,
    clear: ({ id }) => [sql`delete from openings where reader_id = ${id}`],
    remove: 'cleared',
    opens: null,
  },
  playback_sessions: {
    words: 'on which days you listened or read',
    rows: byUser,
    clear: ({ id, nobody }) => [
      sql`update playback_sessions set user_id = null, ip_address = null, session_id = ${nobody}
        where user_id = ${id}::uuid or session_id = ${id}`,
    ],
    remove: 'cleared',
    merge: 'sign-in',
    opens: null,
  },
  playback_meters: {
    words: 'for how long, in the last days',
    rows: ({ id }) => sql`listener_id = ${id}`,
    clear: ({ id }) => [sql`delete from playback_meters where listener_id = ${id}`],
    remove: 'cleared',
    merge: 'sign-in',
    opens: null,
  },
  tracking_sessions: {
    words: 'visits of a browser that is joined to you',
    rows: ({ id }) =>
      sql`anon_id = ${id} or anon_id in (select anon_id from analytics_links where user_id = ${id}::uuid)`,
    clear: ({ id }) => [
      sql`delete from tracking_sessions where anon_id = ${id}
        or anon_id in (select anon_id from analytics_events where user_id = ${id}::uuid)`,
    ],
    remove: 'cleared',
    opens: null,
  },
  analytics_links: {
    words: 'what joins a visit before signing in to you',
    rows: byUser,
    clear: ({ id }) => [sql`delete from analytics_links where user_id = ${id}::uuid`],
    remove: 'cleared',
    opens: null,
  },
  analytics_arrivals: {
    words: 'the newest of it, until it is counted',
    rows: byUser,
    clear: ({ id, nobody }) => [
      sql`update analytics_arrivals set user_id = null, anon_id = ${nobody}, session_id = md5(${nobody} || session_id)
        where user_id = ${id}::uuid`,
    ],
    remove: 'cleared',
    opens: null,
  },
  analytics_sittings: {
    words: 'when your visits of a day began and ended, by category',
    rows: onOwnDays,
    clear: ({ id, nobody }) => [
      sql`update analytics_sittings set visitor = ${nobody}, session_id = case session_id when '' then '' else md5(${nobody} || session_id) end
        where ${onOwnDays({ id })}`,
    ],
    remove: 'cleared',
    merge: 'rollup',
    opens: null,
  },
  analytics_visits: {
    words: 'how far you came with an item on a day, and for how long',
    rows: onOwnDays,
    clear: ({ id, nobody }) => [
      sql`update analytics_visits set visitor = ${nobody} where ${onOwnDays({ id })}`,
    ],
    remove: 'cleared',
    merge: 'rollup',
    opens: null,
  },
  analytics_events: {
    words: 'what you did on the site, as far as you let it be counted',
    rows: byUser,
    clear: ({ id, nobody }) => [
      // The member's browsers get one id. Of events that then differ in nothing, one stays.
      sql`delete from analytics_events as one using analytics_events as other
        where one.user_id = ${id}::uuid and other.user_id = ${id}::uuid
          and one.timestamp = other.timestamp and one.id = other.id and one.anon_id > other.anon_id`,
      sql`update analytics_events set user_id = null, anon_id = ${nobody}, session_id = md5(${nobody} || session_id)
        where user_id = ${id}::uuid`,
    ],
    remove: 'cleared',
    merge: 'rollup',
    opens: null,
  },
  analytics_last_days: {
    words: 'on which day you were last there',
    rows: ({ id }) => sql`visitor = ${id}`,
    clear: ({ id, nobody }) => [renameVisitor(id, nobody)],
    remove: 'cleared',
    merge: 'rollup',
    opens: null,
  },
  daily_aggregates: {
    words: 'nothing: what is counted of an item names nobody',
    rows: byUser,
    remove: (who) => sql`update daily_aggregates set user_id = null where ${byUser(who)}`,
    opens: null,
  },
  content_flags: {
    words: 'what you reported',
    // Reports on the member's items are not included, since reporters are confidential.
    rows: ({ id, email }) => sql`(flagged_by = ${id} or reporter_email = ${email})`,
    remove: ({ id, email }) => sql`
      update content_flags set flagged_by = nullif(flagged_by, ${id}), reporter_email = nullif(reporter_email, ${email})
      where flagged_by = ${id} or reporter_email = ${email}`,
    opens: null,
  },
  guideline_decisions: {
    words: 'what the guidelines said of your texts',
    rows: ({ id }) => sql`actor = ${actorOf(id)}`,
    remove: ({ id }) =>
      sql`update guideline_decisions set actor = ${deletedActor} where actor = ${actorOf(id)}`,
    opens: null,
  },
  audit_log: {
    words: 'what an operator changed of your account',
    rows: ({ id }) => sql`subject_type = 'member' and subject_id = ${id}`,
    remove: ({ id }) =>
      sql`update audit_log set subject_id = null, before = null, after = null where subject_type = 'member' and subject_id = ${id}`,
    opens: null,
  },
  beta_signups: {
    words: 'that you asked for early access',
    rows: ({ email }) => sql`email = ${email}`,
    remove: ({ email }) => sql`delete from beta_signups where email = ${email}`,
    opens: null,
  },
  throttles: {
    words: 'counters that keep the site from being flooded',
    rows: ({ id }) => sql`key like ${`%${id}%`}`,
    remove: ({ id, email }) =>
      sql`delete from throttles where key like ${`%${id}%`} or key like ${`%${sha256(email ?? id)}`}`,
    opens: null,
  },
} as const satisfies Record<string, MemberTable> & Record<AccessTable, MemberTable & { opens: Access }>

type Tables = typeof memberTables
export type TableName = keyof Tables
/** The tables in which a visitor's rows become the member's at this event. */
export type MergedTable<When> = {
  [Name in TableName]: Tables[Name] extends { merge: When } ? Name : never
}[TableName]

/** The tables as a list. */
export const listedMemberTables: readonly (MemberTable & { table: TableName })[] =
  Object.entries<MemberTable>(memberTables).map(([table, rest]) => ({ ...rest, table: table as TableName }))

/** The tables that give access to an account, in the same order. */
export const listedAccessTables = listedMemberTables.flatMap((each) => {
  const table = accessTables.find((name) => name === each.table)
  return table ? [{ ...each, table }] : []
})
