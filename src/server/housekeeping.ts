import { sql } from 'drizzle-orm'
import { pruneRemovals } from '#db/changes'
import { prunePlaybackMeters } from '#src/analytics/count-playback'
import { makePartitions, pruneAnalytics } from '#src/analytics/partitions'
import { destroySalts } from '#src/analytics/salt'
import { tidyDrafts } from '#src/import/draft/tidy'
import { pruneJobs } from '#src/job/queries'
import { emptyBin } from '#src/library/empty-bin'
import { pruneMails } from '#src/mail/send-mail'
import { pruneMailTokens } from '#src/member/email/mail-token'
import { pruneDevices } from '#src/member/sign-in/remembered-device'
import { forgetReporterEmails } from '#src/moderation/flags'
import { runEvery } from '#src/process/run-every'
import { prunePushes } from '#src/push/queue'
import { pruneRateLimits } from '#src/security/rate-limit'
import type { Services } from '#src/services'
import { pruneAuthChallenges } from '#src/session/auth-challenge'
import { pruneSessions } from '#src/session/session'
import { meterDays } from '#src/story/meter-rules'
import { pruneRemovedComments } from '#src/vote/hide-comment'
import { pruneIdempotentCalls } from './idempotent-call'

/** Tidies up every ten minutes while the program runs. */
export function startTidying(services: Services): { stop(): Promise<void> } {
  const rarely = { seconds: 600, first: 'later', failure: 'tidying up failed', log: services.log } as const
  return runEvery(rarely, () => tidyUp(services))
}

/**
 * Removes expired rows: sessions, remembered devices, rate limit windows, finished jobs, abandoned imports, items
 * that were in the bin for its days, old openings. Safe on many servers at once.
 */
export async function tidyUp({ db, storage }: Services): Promise<void> {
  await pruneSessions(db)
  await pruneDevices(db)
  await pruneMailTokens(db)
  await pruneAuthChallenges(db)
  await pruneRateLimits(db)
  await pruneJobs(db)
  await pruneMails(db)
  await pruneIdempotentCalls(db)
  await pruneRemovals(db)
  await prunePushes(db)
  await forgetReporterEmails(db)
  await pruneRemovedComments(db)
  await tidyDrafts({ db, storage })
  await emptyBin(db)
  await destroySalts(db)
  await prunePlaybackMeters(db)
  await makePartitions(db)
  await pruneAnalytics(db)
  // A draft's outcome is recorded within this time, or never.
  await db.execute(sql`delete from drafts where created_at < now() - interval '30 days'`)
  await db.execute(
    sql`delete from openings where opened_at < now() - make_interval(days => ${meterDays * 2})`,
  )
}
