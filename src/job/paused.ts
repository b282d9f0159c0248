import { type SQL, sql } from 'drizzle-orm'
import { featureFlags } from '#db/schema'
import type { FlagName } from '#src/feature-flag/rules'
import { mailKinds } from './rules'

const queueFlag: FlagName = 'jobQueue'

/**
 * Whether operators have paused the queue for a row of `jobs`; mails are never paused. It is part of the query that
 * claims a job, so that all processes pause at once.
 */
export function isPaused(): SQL<boolean> {
  return sql`(jobs.kind not in ${mailKinds} and exists (
    select 1 from ${featureFlags} where name = ${queueFlag} and is_on and value = 'false'))`
}
