import { sql } from 'drizzle-orm'
import type { Database } from '#db/db'
import { reports } from '#db/schema'
import { normaliseEmail } from '#src/member/sign-in/register'
import { existingMember } from '#src/personal-data/existing-member'
import { consumeRateLimit } from '#src/security/rate-limit'
import { refusedField } from '#src/shape/invalid-field'
import { requireOpenItem } from '#src/story/require-item'
import { tidyText } from '#src/text/tidy-text'
import { reportsAnHour, reportsOnItemADay } from './rules'
import type { Report } from './schema'

/** The reporter: a member by id, or a visitor. */
export type Reporter = { memberId: string | null; addressHash: string }

/**
 * Stores a report on an item that the reporter can open. A visitor's email is stored to send the decision to. Throws
 * `throttled`, `not_found`, and `invalid` for "something else" without words.
 */
export async function reportItem(
  db: Database,
  storyId: string,
  { flagType, flagReason = '', email }: Report,
  { memberId, addressHash }: Reporter,
) {
  const reason = tidyText(flagReason)
  if (flagType === 'other' && reason === '')
    throw refusedField('flagReason', 'Say in a few words what is wrong.')
  await consumeRateLimit(db, limitsOf(storyId, addressHash))
  const item = await requireOpenItem(db, memberId, storyId)
  const [report] = await db
    .insert(reports)
    .values({
      storyId: item.id,
      flagType,
      flagReason: reason,
      flaggedBy: memberId && sql`${existingMember(memberId)}::text`,
      reporterEmail: memberId === null && email ? normaliseEmail(email) : null,
    })
    .returning()
  if (!report) throw new Error('The insert returned no report.')
  return report
}

function limitsOf(storyId: string, addressHash: string) {
  const message = 'Too many reports from here. Wait a moment and try again.'
  return [
    { key: `flag:${addressHash}`, max: reportsAnHour, windowSeconds: 3_600, message },
    {
      key: `flag:${addressHash}:${storyId}`,
      max: reportsOnItemADay,
      windowSeconds: 24 * 3_600,
      message: 'You have already reported this. A person reads every report.',
    },
  ]
}
