import * as t from 'typebox'
import JobList from '#islands/job/job-list'
import { consoleUrls } from '#src/console-urls'
import { isFeatureOn } from '#src/feature-flag/flags'
import { Batches } from '#src/import/batches'
import { countImports, listImports } from '#src/import/undo'
import { consolePage } from '#src/operator/console-page'
import { router } from '#src/request/router'
import { SelectRows } from '#src/selection/select-rows'
import type { Services } from '#src/services'
import { isId } from '#src/shape/id'
import { cutPage } from '#src/shape/list-page'
import { oneOf } from '#src/shape/one-of'
import { Button } from '#src/ui/button'
import { ChoicesForm } from '#src/ui/choices-form'
import { Island } from '#src/ui/island'
import { More } from '#src/ui/more'
import { PlainSelect } from '#src/ui/select'
import { shownJob } from './events'
import { countJobs, listJobs, listJobsById } from './queries'
import { type JobKind, jobKindName, jobKinds, jobStates, pausedWords, retentionDays } from './rules'
import { stateNames } from './state-badge'

const jobsShown = 50
const importsShown = 50
type JobsQuery = {
  state?: (typeof jobStates)[number]
  kind?: JobKind | ''
  cursor?: string
  job?: string
  imports?: string
}

/** The page /jobs: the queue, which updates live and can be paused, and the imports, which can be undone. */
export function jobConsole(services: Services) {
  return router().get(
    '/jobs',
    async ({ context, query }) => {
      const isPaused = !(await isFeatureOn(services.db, 'jobQueue'))
      const head = { words: isPaused && pausedWords, actions: <PauseForm isPaused={isPaused} /> }
      return consolePage(context, { title: 'Jobs', room: 'Jobs', ...head }, async () => (
        <>
          <Filters query={query} />
          {query.job === undefined ? await queue(services, query) : await oneJob(services, query.job)}
          {await batches(services, query)}
        </>
      ))
    },
    {
      query: t.Object({
        state: t.Optional(oneOf(jobStates)),
        // The form sends "all kinds" as an empty text.
        kind: t.Optional(oneOf([...jobKinds, ''])),
        cursor: t.Optional(t.String({ maxLength: 64 })),
        job: t.Optional(t.String({ maxLength: 64 })),
        // The cursor of the page's second list.
        imports: t.Optional(t.String({ maxLength: 64 })),
      }),
      detail: { hide: true },
    },
  )
}

/** Form that switches the queue's feature flag off, or back to its default. */
function PauseForm({ isPaused }: { isPaused: boolean }) {
  return (
    <form action={consoleUrls.adminFlags()} method="post">
      <input type="hidden" name="name" value="jobQueue" />
      <input type="hidden" name="from" value="jobs" />
      <Button
        type="submit"
        name="value"
        value={isPaused ? 'default' : 'false'}
        kind={isPaused ? 'primary' : 'quiet'}
      >
        {isPaused ? 'Resume the queue' : 'Pause the queue'}
      </Button>
    </form>
  )
}

function Filters({ query: { state: current, kind, job } }: { query: JobsQuery }) {
  const states = [undefined, ...jobStates]
  return (
    <div className="filters">
      <nav className="segment segment-wide" aria-label="State" data-keep="">
        {states.map((state) => (
          <a
            key={state ?? ''}
            href={consoleUrls.jobs({ state, kind })}
            aria-current={(state === current && job === undefined) || undefined}
          >
            {state ? stateNames[state] : 'All'}
          </a>
        ))}
      </nav>
      <div className="filters-end">
        <ChoicesForm action={consoleUrls.jobs()}>
          {current && <input type="hidden" name="state" value={current} />}
          <PlainSelect
            label="Kind"
            name="kind"
            defaultValue={kind ?? ''}
            choices={[
              { value: '', label: 'All kinds' },
              ...jobKinds.map((value) => ({ value, label: jobKindName(value) })),
            ]}
          />
        </ChoicesForm>
      </div>
    </div>
  )
}

/** The job that another page links to. */
async function oneJob({ db }: Services, id: string) {
  const rows = isId(id) ? await listJobsById(db, [id]) : []
  if (rows.length === 0)
    return <p className="empty">There is no such job. Finished jobs are kept for {retentionDays} days.</p>
  const jobs = rows.map((row) => ({ ...shownJob(row), result: null }))
  return <Island name="job-list" of={JobList} props={{ jobs, filter: {}, since: null }} />
}

async function queue({ db }: Services, { state, kind, cursor }: JobsQuery) {
  const filter = { state, kind: kind || undefined }
  const [rows, total] = await Promise.all([
    listJobs(db, { ...filter, before: cursor, limit: jobsShown + 1 }),
    countJobs(db, filter),
  ])
  const { page, nextCursor } = cutPage(rows, jobsShown, ({ id }) => id)
  // The page does not show results; they are shown with the item.
  const jobs = page.map((row) => ({ ...shownJob(row), result: null }))
  return (
    <div className="stack">
      <Island
        name="job-list"
        of={JobList}
        // The newest page adds jobs that are newer than this id: all jobs if there is no older page.
        props={{ jobs, filter, since: cursor === undefined ? (nextCursor ?? '') : null }}
      />
      <SelectRows kind="jobs" filter={filter} total={total} />
      {nextCursor && <More href={consoleUrls.jobs({ ...filter, cursor: nextCursor })}>Older jobs</More>}
    </div>
  )
}

async function batches({ db }: Services, { imports: before, ...query }: JobsQuery) {
  const [rows, count] = await Promise.all([
    listImports(db, { limit: importsShown + 1, before }),
    countImports(db),
  ])
  const { page, nextCursor } = cutPage(rows, importsShown, ({ id }) => id)
  const more = nextCursor && {
    href: consoleUrls.jobs({ ...query, imports: nextCursor }),
    words: 'Older imports',
  }
  return <Batches batches={page} count={count} more={more || null} />
}
