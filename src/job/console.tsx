import * as t from 'typebox'
import JobList from '#islands/job-list'
import { router } from '#src/http/router'
import { Batches } from '#src/import/batches'
import { listImports } from '#src/import/undo'
import { consolePage } from '#src/operator/console-page'
import type { Parts } from '#src/parts'
import { oneOf } from '#src/story/schema'
import { Island } from '#src/ui/island'
import { urls } from '#src/urls'
import { shownJob } from './events'
import { listJobs } from './queries'
import { jobStates } from './rules'
import { stateNames } from './state-badge'

const jobsShown = 50
type JobsQuery = { state?: (typeof jobStates)[number]; cursor?: string }

/** /jobs: the queue as it runs, and the imports, which can be taken back. */
export function jobConsole(parts: Parts) {
  return router().get(
    '/jobs',
    async ({ request, context, query }) =>
      consolePage(parts, request, context, { title: 'Jobs', room: 'Jobs' }, async () => (
        <>
          <StateFilter current={query.state} />
          {await queue(parts, query)}
          <Batches batches={await listImports(parts.db)} />
        </>
      )),
    {
      query: t.Object({
        state: t.Optional(oneOf(jobStates)),
        cursor: t.Optional(t.String({ maxLength: 64 })),
      }),
      detail: { hide: true },
    },
  )
}

function StateFilter({ current }: { current: JobsQuery['state'] }) {
  return (
    <nav className="chips job-states" aria-label="State" data-keep="">
      <a className="chip" href={urls.jobs()} aria-current={!current || undefined}>
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

async function queue({ db }: Parts, { state, cursor }: JobsQuery) {
  const rows = await listJobs(db, { state, before: cursor, limit: jobsShown + 1 })
  const page = rows.slice(0, jobsShown)
  // What it made is told by its item; the page has no use for it.
  const jobs = page.map((row) => ({ ...shownJob(row), result: null }))
  return (
    <>
      <Island
        name="job-list"
        of={JobList}
        props={{ jobs, state: state ?? null, isNewest: cursor === undefined }}
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
