import { inArray } from 'drizzle-orm'
import { jobs } from '#db/schema'
import { cancelJob, retryJob } from '#src/job/cancel-retry'
import { listJobs } from '#src/job/queries'
import { jobKindName, jobKinds, jobStates } from '#src/job/rules'
import { isId } from '#src/shape/id'
import { requireOneOf } from '#src/shape/require-one-of'
import type { Kind } from './kind'

/** Jobs of the queue, which can be retried and cancelled. */
export const manyJobs: Kind = {
  list: async (db, wanted, limit) => {
    const filter =
      'ids' in wanted
        ? { where: inArray(jobs.id, wanted.ids.filter(isId)) }
        : {
            state: requireOneOf('state', wanted.filter.state, jobStates),
            kind: requireOneOf('kind', wanted.filter.kind, jobKinds),
          }
    const rows = await listJobs(db, { ...filter, limit })
    return rows.map(({ id, title, kind, state }) => ({ id, title: title ?? jobKindName(kind), state }))
  },
  change: ({ db }, id, { change, by }) => (change === 'retry' ? retryJob(db, id, by) : cancelJob(db, id, by)),
  undo: ({ db }, { id, after }, by) => (after === 'cancelled' ? retryJob(db, id, by) : cancelJob(db, id, by)),
  // A worker may have taken the job meanwhile, which does not count as another operator's change.
  isStill: (after, present) => present === after || (after === 'queued' && present === 'running'),
  recorded: {
    retry: { subjectType: 'jobs', action: 'retry' },
    cancel: { subjectType: 'jobs', action: 'cancel' },
  },
  undone: { subjectType: 'jobs', action: 'undo' },
}
