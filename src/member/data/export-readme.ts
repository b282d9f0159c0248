import { listedMemberTables } from '#src/personal-data/registry'

/** The README of an export. */
export function exportWords(siteName: string, madeAt: Date): string {
  const width = Math.max(...listedMemberTables.map(({ table }) => table.length)) + 5
  const lines = listedMemberTables.map(({ table, words }) => `  ${`${table}.json`.padEnd(width)}  ${words}`)
  return `Your data at ${siteName}, as it was on ${madeAt.toISOString()}

data/        A JSON file for each table of the database that can hold something about you.
             An empty one ([]) says that it holds nothing.
narrations/  The audio of what you had narrated.

Times are in UTC. Left out are the hashes of your password and PIN, the hashes of the cookies, links and
keys that open your account, and what reaches your browsers' screens. Addresses are kept as keyed hashes only.

${lines.join('\n')}
`
}
