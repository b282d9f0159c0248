import { type SQL, sql } from 'drizzle-orm'
import { featureFlags } from '#db/schema'
import type { FlagName } from '#src/feature-flag/rules'
import { mailKinds } from './rules'

const queueFlag: FlagName = 'jobQueue'

/**
 * Whether operators have paused the queue, which lets mails through alone; selected from `jobs`. Read with each claim,
 * so that all processes pause at once.
 */
export function isPaused(): SQL<boolean> {
  return sql`(jobs.kind not in ${mailKinds} and exists (
    select 1 from ${featureFlags} where name = ${queueFlag} and is_on and value = 'false'))`
}
