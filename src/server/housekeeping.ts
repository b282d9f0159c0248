import { sql } from 'drizzle-orm'
import { pruneRemovals } from '#db/changes'
import { prunePlaybackMeters } from '#src/analytics/count-playback'
import { makePartitions, pruneAnalytics } from '#src/analytics/partitions'
import { destroySalts } from '#src/analytics/salt'
import { tidyDrafts } from '#src/import/draft/tidy'
import { pruneJobs } from '#src/job/queries'
import { emptyBin } from '#src/library/empty-bin'
import { pruneDevicePositions, pruneVisitorPositions } from '#src/listening/prune-positions'
import { pruneMails } from '#src/mail/send-mail'
import { pruneMailTokens } from '#src/member/email/mail-token'
import { pruneDevices } from '#src/member/sign-in/remembered-device'
import { forgetReporterEmails } from '#src/moderation/reports'
import { errorFields } from '#src/process/log'
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

type Needs = Pick<Services, 'db' | 'storage' | 'log'>

/**
 * Removes expired rows, step by step. A step that fails is logged and does not stop the others. Safe on many servers at
 * once.
 */
export async function tidyUp(services: Needs): Promise<void> {
  for (const [step, tidy] of Object.entries(steps)) {
    try {
      await tidy(services)
    } catch (error) {
      services.log.warn('tidying up failed', { step, ...errorFields(error) })
    }
  }
}

/** Steps, by their name in the log. */
const steps: Readonly<Record<string, (services: Needs) => Promise<unknown>>> = {
  sessions: ({ db }) => pruneSessions(db),
  'remembered devices': ({ db }) => pruneDevices(db),
  'links of mails': ({ db }) => pruneMailTokens(db),
  'auth challenges': ({ db }) => pruneAuthChallenges(db),
  'rate limits': ({ db }) => pruneRateLimits(db),
  jobs: ({ db }) => pruneJobs(db),
  mails: ({ db }) => pruneMails(db),
  'idempotent calls': ({ db }) => pruneIdempotentCalls(db),
  removals: ({ db }) => pruneRemovals(db),
  pushes: ({ db }) => prunePushes(db),
  'addresses of reporters': ({ db }) => forgetReporterEmails(db),
  'removed comments': ({ db }) => pruneRemovedComments(db),
  'begun imports': tidyDrafts,
  bin: ({ db }) => emptyBin(db),
  salts: ({ db }) => destroySalts(db),
  'what was played of an item': ({ db }) => prunePlaybackMeters(db),
  'positions of visitors': ({ db }) => pruneVisitorPositions(db),
  'positions of devices': ({ db }) => pruneDevicePositions(db),
  'partitions to come': ({ db }) => makePartitions(db),
  analytics: ({ db }) => pruneAnalytics(db),
  // The outcome of a draft is recorded within this time or never.
  drafts: ({ db }) => db.execute(sql`delete from drafts where created_at < now() - interval '30 days'`),
  openings: ({ db }) =>
    db.execute(sql`delete from openings where opened_at < now() - make_interval(days => ${meterDays * 2})`),
}
