import type { Executor } from '#db/db'
import { AppError } from '#src/app-error'
import type { Env } from '#src/env'
import { countUsed, type Limit } from '#src/security/rate-limit'
import { countWords } from '#src/story/rules'
import { pluralize } from '#src/text/pluralize'
import { creationsADay } from './rules'
import type { MemberLimits } from './schema'

const daySeconds = 24 * 3_600

/** Finds a member's remaining limits of today; days begin at midnight UTC. */
export async function findLimits(db: Executor, env: Env, memberId: string): Promise<MemberLimits> {
  const narrations = narrationLimit(env, memberId)
  const drafts = draftLimit(env, memberId)
  const [narrated, drafted] = await Promise.all([countUsed(db, narrations), countUsed(db, drafts)])
  return {
    wordsMax: env.memberWordsMax,
    narrationsADay: narrations.max,
    narrationsLeft: Math.max(0, narrations.max - narrated),
    draftsADay: drafts.max,
    draftsLeft: Math.max(0, drafts.max - drafted),
    resetsAt: new Date((Math.floor(Date.now() / 1_000 / daySeconds) + 1) * daySeconds * 1_000).toISOString(),
  }
}

/**
 * The limit of narrations per day. It is counted in the transaction that queues the narration, so a refused one does
 * not count.
 */
export function narrationLimit({ memberNarrationsADay: max }: Env, memberId: string): Limit {
  return {
    key: `narrations:${memberId}`,
    max,
    windowSeconds: daySeconds,
    message: `${max === 1 ? 'One narration' : pluralize(max, 'narration')} a day: today's are used up. Save it as a story, and have it narrated tomorrow.`,
  }
}

export function draftLimit({ memberDraftsADay: max }: Env, memberId: string): Limit {
  return {
    key: `drafts:${memberId}`,
    max,
    windowSeconds: daySeconds,
    message: `${max === 1 ? 'One draft' : pluralize(max, 'draft')} a day: today's are used up. Writing and pasting stay open.`,
  }
}

export function creationLimit(memberId: string): Limit {
  return {
    key: `creations:${memberId}`,
    max: creationsADay,
    windowSeconds: daySeconds,
    message: `${creationsADay} stories a day is the limit. Please continue tomorrow.`,
  }
}

/** Throws `invalid` for a text that exceeds the length of members' texts. */
export function requireLength({ memberWordsMax }: Env, content: string): void {
  const words = countWords(content)
  if (words <= memberWordsMax) return
  const message = `The text has ${pluralize(words, 'word')}; ${memberWordsMax.toLocaleString('en')} is the limit. Split it into two parts.`
  throw new AppError('invalid', message, { fields: [{ path: 'content', message }] })
}
