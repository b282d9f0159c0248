import * as t from 'typebox'
import { AppError } from '#src/app-error'
import { wholeNumber } from '#src/http/query'
import { isOperatorSessionOpen } from '#src/operator/session'
import { operatorNameOf, requireOperator } from '#src/request/caller'
import { pageHeaders } from '#src/request/page-headers'
import { about, fileAnswer, router } from '#src/request/router'
import type { Services } from '#src/services'
import { isId } from '#src/shape/id'
import { cutPage } from '#src/shape/list-page'
import { oneOf } from '#src/shape/one-of'
import { cancelJob, retryJob } from './cancel-retry'
import { shownJob, watchJobs } from './events'
import { countJobs, listJobs, listJobsById } from './queries'
import { jobKinds, jobStates } from './rules'
import { Job } from './schema'

const params = t.Object({ id: t.String({ maxLength: 64 }) })
const pageMax = 100
const ListQuery = t.Object({
  state: t.Optional(oneOf(jobStates)),
  kind: t.Optional(oneOf(jobKinds)),
  storyId: t.Optional(t.String({ maxLength: 64 })),
  limit: t.Optional(wholeNumber('limit', 1, pageMax)),
  cursor: t.Optional(t.String({ maxLength: 64, description: 'The id of the last job of the page before.' })),
})

/** API calls of operators for the queue: list, cancel, retry, watch. */
export function jobApi(services: Services) {
  const { db, log } = services
  return router()
    .get(
      '/api/jobs',
      async ({ query, set, context }) => {
        const { state, kind, storyId, limit = 50, cursor } = query
        const filter = { state, kind, storyId }
        const [rows, count] = await Promise.all([
          listJobs(db, { ...filter, limit: limit + 1, before: cursor }),
          countJobs(db, filter),
        ])
        const { page, nextCursor } = cutPage(rows, limit, ({ id }) => id)
        Object.assign(set.headers, pageHeaders(context, { count, nextCursor }))
        return page.map(shownJob)
      },
      {
        query: ListQuery,
        response: t.Array(Job),
        ...about(
          'jobs',
          'List the jobs, the newest first',
          'While the feature flag `jobQueue` is off, the queue is paused: waiting jobs start when it is on again.',
        ),
      },
    )
    .get(
      '/api/jobs/:id',
      async ({ params }) => {
        const [job] = isId(params.id) ? await listJobsById(db, [params.id]) : []
        if (!job) throw new AppError('not_found', 'There is no such job.')
        return shownJob(job)
      },
      {
        params,
        response: Job,
        ...about('jobs', 'Read a job', 'What it works on, its progress and its outcome.'),
      },
    )
    .post(
      '/api/jobs/:id/retry',
      async ({ params, caller }) => {
        await retryJob(db, params.id, operatorNameOf(caller))
        return { success: true, state: 'queued' as const }
      },
      {
        params,
        response: t.Object({ success: t.Boolean(), state: oneOf(jobStates) }),
        ...about('jobs', 'Try a job again', 'One that failed or was cancelled. Its tries start from zero.', {
          409: 'It is done or running, or another job does the same work',
        }),
      },
    )
    .post(
      '/api/jobs/:id/cancel',
      async ({ params, caller }) => {
        await cancelJob(db, params.id, operatorNameOf(caller))
        return { success: true, state: 'cancelled' as const }
      },
      {
        params,
        response: t.Object({ success: t.Boolean(), state: oneOf(jobStates) }),
        ...about('jobs', 'Cancel a job', 'It stops within seconds and leaves nothing behind.', {
          409: 'It is over',
        }),
      },
    )
    .get(
      '/api/jobs/events',
      async ({ caller }) => {
        const { sid } = requireOperator(caller)
        return watchJobs(db, log, async () => sid === null || isOperatorSessionOpen(services, sid))
      },
      {
        detail: {
          ...about('jobs', 'Watch the jobs').detail,
          description:
            'Server-sent events: `jobs`, once, with what waits, runs or was over in the last minute; then `job` for each one that changes. It ends with the session and after ten minutes; browsers reconnect by themselves.',
          responses: { 200: fileAnswer('A stream of events', 'text/event-stream') },
        },
      },
    )
}
