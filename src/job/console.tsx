import * as t from 'typebox'
import JobList from '#islands/job/job-list'
import RowSelection from '#islands/operator/row-selection'
import { Batches } from '#src/import/batches'
import { listImports } from '#src/import/undo'
import { consolePage } from '#src/operator/console-page'
import { router } from '#src/request/router'
import type { Services } from '#src/services'
import { oneOf } from '#src/shape/one-of'
import { isId } from '#src/story/rules'

import { Island } from '#src/ui/island'
import { urls } from '#src/urls'
import { shownJob } from './events'
import { countJobs, listJobs, listJobsById } from './queries'
import { jobStates, retentionDays } from './rules'
import { stateNames } from './state-badge'

const jobsShown = 50
type JobsQuery = { state?: (typeof jobStates)[number]; cursor?: string; job?: string }

/** /jobs: the queue, updated live, and the imports, which can be undone. */
export function jobConsole(services: Services) {
  return router().get(
    '/jobs',
    async ({ context, query }) =>
      consolePage(context, { title: 'Jobs', room: 'Jobs' }, async () => (
        <>
          <StateFilter query={query} />
          {query.job === undefined ? await queue(services, query) : await oneJob(services, query.job)}
          <Batches batches={await listImports(services.db)} />
        </>
      )),
    {
      query: t.Object({
        state: t.Optional(oneOf(jobStates)),
        cursor: t.Optional(t.String({ maxLength: 64 })),
        job: t.Optional(t.String({ maxLength: 64 })),
      }),
      detail: { hide: true },
    },
  )
}

function StateFilter({ query: { state: current, job } }: { query: JobsQuery }) {
  return (
    <nav className="chips job-states" aria-label="State" data-keep="">
      <a className="chip" href={urls.jobs()} aria-current={(!current && job === undefined) || undefined}>
        All
      </a>
      {jobStates.map((state) => (
        <a
          key={state}
          className="chip"
          href={urls.jobs({ state })}
          aria-current={state === current || undefined}
        >
          {stateNames[state]}
        </a>
      ))}
    </nav>
  )
}

/** The job that another page links to. */
async function oneJob({ db }: Services, id: string) {
  const rows = isId(id) ? await listJobsById(db, [id]) : []
  if (rows.length === 0)
    return <p className="empty">There is no such job. What ended is kept for {retentionDays} days.</p>
  const jobs = rows.map((row) => ({ ...shownJob(row), result: null }))
  return <Island name="job-list" of={JobList} props={{ jobs, state: null, isNewest: false }} />
}

async function queue({ db }: Services, { state, cursor }: JobsQuery) {
  const [rows, total] = await Promise.all([
    listJobs(db, { state, before: cursor, limit: jobsShown + 1 }),
    countJobs(db, { state }),
  ])
  const page = rows.slice(0, jobsShown)
  // The result is shown with its item; the page does not need it.
  const jobs = page.map((row) => ({ ...shownJob(row), result: null }))
  return (
    <>
      <Island
        name="job-list"
        of={JobList}
        props={{ jobs, state: state ?? null, isNewest: cursor === undefined }}
      />
      <Island
        name="row-selection"
        when="press"
        presses="[data-pick]"
        of={RowSelection}
        props={{ kind: 'jobs', filter: { state }, total }}
      />
      {rows.length > jobsShown && (
        <p className="more">
          <a className="btn btn-quiet" href={urls.jobs({ state, cursor: page.at(-1)?.id })}>
            Older jobs
          </a>
        </p>
      )}
    </>
  )
}
