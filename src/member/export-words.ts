/** What the tables of an export hold; one that is not among them is named all the same. */
const words: Record<string, string> = {
  users: 'your account: names, e-mail, when it was made',
  user_settings: 'your settings',
  sessions: 'where you are signed in',
  login_events: 'when and how you signed in',
  identities: 'accounts elsewhere that open yours',
  passkeys: 'your passkeys: their names, and when each was used',
  push_devices: 'browsers that get notifications, and when one last did',
  feed_tokens: 'whether you have private feeds, and when they were last asked for',
  mail_tokens: 'links in mails to you that still open something',
  sign_in_attempts: 'ways in that you began to add in the last minutes',
  favorites: 'your favorites',
  votes: 'your votes',
  story_feedback: 'your ratings and comments',
  stories: 'what you made',
  scripts: 'what you made, marked up to be spoken',
  narrations: 'the narrations of what you made',
  narration_timings: 'when each word of them is heard',
  jobs: 'the work on them',
  drafts: 'that you had a draft written',
  content_progress: 'where you stopped in each item',
  device_positions: 'the same, for each device',
  playback_sessions: 'on which days you listened or read',
  playback_meters: 'for how long, in the last days',
  openings: 'which stories you opened',
  challenge_enrolments: 'your challenges',
  content_flags: 'what you reported',
  guideline_decisions: 'what the guidelines said of your texts',
  analytics_events: 'what you did on the site, as far as you let it be counted',
  analytics_last_days: 'on which day you were last there',
  analytics_links: 'what joins a visit before signing in to you',
  tracking_sessions: 'visits of a browser that is joined to you',
  beta_signups: 'that you asked for early access',
  audit_log: 'what an operator changed of your account',
  throttles: 'counters that keep the site from being flooded',
}

/** The README of an export. */
export function exportWords(siteName: string, madeAt: Date, tables: readonly string[]): string {
  const width = Math.max(...tables.map((table) => table.length)) + 5
  const lines = tables.map((table) => `  ${`${table}.json`.padEnd(width)}  ${words[table] ?? ''}`.trimEnd())
  return `Your data at ${siteName}, as it was on ${madeAt.toISOString()}

data/        A JSON file for each table of the database that can hold something about you.
             An empty one ([]) says that it holds nothing.
narrations/  The audio of what you had narrated.

Moments are in UTC. Left out are the hashes of your password and PIN, the hashes of the cookies, links and
keys that open your account, and what reaches your browsers' screens. Addresses are kept as keyed hashes only.

${lines.join('\n')}
`
}
