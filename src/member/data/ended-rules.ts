import { type AccessTable, accessTables } from '#src/personal-data/rules'
import { pluralize } from '#src/text/pluralize'

/** Counts of ended access, by table. Browser-safe. */
export type Ended = Partial<Record<AccessTable, number>>

/** Sentences for the member. Null for rows that end together with others, or that a member never sees. */
const words: Record<AccessTable, ((count: number) => string) | null> = {
  sessions: (count) => `Signed out on ${pluralize(count, 'other device')}.`,
  push_devices: null,
  feed_tokens: () => 'The private feeds have ended: make new ones in Settings.',
  passkeys: (count) => `${pluralize(count, 'passkey')} ${count === 1 ? 'was' : 'were'} removed.`,
  identities: (count) => `${pluralize(count, 'linked account')} ${count === 1 ? 'was' : 'were'} unlinked.`,
  users: () => 'The PIN is off.',
  mail_tokens: () => 'Links in earlier mails no longer work.',
  remembered_devices: null,
  sign_in_attempts: null,
}

/** The tables that the member is notified about, in the order of the sentences. */
const shownTables = accessTables.filter((table) => words[table] !== null)

/** Describes the ended access in sentences. Returns `otherwise` if there was none that the member would recognise. */
export function endedWords(ended: Ended, otherwise = 'You are not signed in anywhere else.'): string {
  const sentences = shownTables.flatMap((table) => {
    const count = ended[table] ?? 0
    return count > 0 ? [words[table]?.(count) ?? []].flat() : []
  })
  return sentences.join(' ') || otherwise
}

/** Describes the access that ended with a recovery, and the sign-in methods that remain. */
export function recoveryWords(
  ended: Ended,
  { passkeys, identities }: { passkeys: readonly unknown[]; identities: readonly unknown[] },
): string {
  const left = [
    ...(passkeys.length > 0 ? [pluralize(passkeys.length, 'passkey')] : []),
    ...(identities.length > 0 ? [pluralize(identities.length, 'linked account')] : []),
  ]
  if (left.length === 0) return endedWords(ended)
  const verb = passkeys.length + identities.length === 1 ? 'opens' : 'open'
  return `${endedWords(ended)} ${left.join(' and ')} still ${verb} it: look through Ways to sign in, and remove what is not yours.`
}

/** Encodes the ended access for a query, for the page that a form redirects to. */
export function endedQuery(ended: Ended): string {
  return shownTables.flatMap((table) => (ended[table] ? [`${table}.${ended[table]}`] : [])).join('-')
}

/** Parses the value of `endedQuery`; ignores any other text. */
export function readEnded(query: string | undefined): Ended {
  const ended: Ended = {}
  for (const part of query?.split('-') ?? []) {
    const [, name = '', count = ''] = part.match(/^([a-z_]+)\.([1-9]\d{0,3})$/) ?? []
    const table = shownTables.find((each) => each === name)
    if (table) ended[table] = Number(count)
  }
  return ended
}
