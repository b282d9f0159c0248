import { sql } from 'drizzle-orm'
import { prunePlaybackMeters } from '#src/analytics/count-playback'
import { makePartitions, pruneAnalytics } from '#src/analytics/partitions'
import { destroySalts } from '#src/analytics/salt'
import { every } from '#src/every'
import { tidyDrafts } from '#src/import/draft/tidy'
import { pruneJobs } from '#src/job/queries'
import { pruneMails } from '#src/mail/send-mail'
import { pruneAttempts } from '#src/member/attempt'
import { pruneMailTokens } from '#src/member/mail-token'
import { pruneSessions } from '#src/member/session'
import { forgetReporterEmails } from '#src/moderation/flags'
import type { Parts } from '#src/parts'
import { prunePushes } from '#src/push/queue'
import { meterDays } from '#src/story/meter-rules'
import { pruneThrottles } from '#src/throttle'

/** Tidies up every ten minutes while the program runs. */
export function startTidying(parts: Parts): { stop(): Promise<void> } {
  const rarely = { seconds: 600, first: 'later', failure: 'tidying up failed', log: parts.log } as const
  return every(rarely, () => tidyUp(parts))
}

/** Removes what has expired: sessions, throttle windows, jobs that are over, imports that were begun and left, openings that no longer count. Safe on many servers at once. */
export async function tidyUp({ db, storage }: Parts): Promise<void> {
  await pruneSessions(db)
  await pruneMailTokens(db)
  await pruneAttempts(db)
  await pruneThrottles(db)
  await pruneJobs(db)
  await pruneMails(db)
  await prunePushes(db)
  await forgetReporterEmails(db)
  await tidyDrafts({ db, storage })
  await destroySalts(db)
  await prunePlaybackMeters(db)
  await makePartitions(db)
  await pruneAnalytics(db)
  // A draft is settled by what is saved of it, soon or never.
  await db.execute(sql`delete from drafts where created_at < now() - interval '30 days'`)
  await db.execute(
    sql`delete from openings where opened_at < now() - make_interval(days => ${meterDays * 2})`,
  )
}
