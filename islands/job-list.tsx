import { useEffect, useState } from 'react'
import { emit } from '#islands/events'
import { Moment } from '#islands/moment'
import { failureWords, operatorCall } from '#islands/operator-call'
import type { shownJob } from '#src/job/events'
import { abandonedWords } from '#src/job/rules'
import { StateBadge } from '#src/job/state-badge'
import { Button } from '#src/ui/button'
import { Table } from '#src/ui/console/table'
import { urls } from '#src/urls'

type Job = ReturnType<typeof shownJob>

/** The queue as it runs: told by the server of each change. Jobs are retried and cancelled in place. */
export default function JobList(props: { jobs: Job[]; state: Job['state'] | null; isNewest: boolean }) {
  const { state, isNewest } = props
  const [jobs, setJobs] = useState(props.jobs)

  useEffect(() => {
    const events = new EventSource(urls.apiJobEvents())
    const merge = (changed: Job[]) => setJobs((all) => mergeJobs(all, changed, { state, isNewest }))
    events.addEventListener('jobs', ({ data }) => merge(JSON.parse(data)))
    events.addEventListener('job', ({ data }) => merge([JSON.parse(data)]))
    return () => events.close()
  }, [state, isNewest])

  const steer = async (job: Job, action: 'retry' | 'cancel') => {
    try {
      const answer = await operatorCall(urls.apiJob(job.id, action), { method: 'POST', body: {} })
      const next = (answer as Pick<Job, 'state'>).state
      setJobs((all) => all.map((each) => (each.id === job.id ? { ...each, state: next } : each)))
      emit('nocturne:toast', { title: action === 'retry' ? 'Job queued again' : 'Job cancelled' })
    } catch (error) {
      const description = failureWords(error, 'Please try again')
      emit('nocturne:toast', { kind: 'bad', title: 'Error', description })
    }
  }

  return (
    <section className="panel panel-flush more-jobs" aria-label="Queue">
      {jobs.length === 0 ? (
        <p className="plan-head lead">No jobs here. A narration that is asked for shows up by itself.</p>
      ) : (
        <Table label="Jobs" columns={['State', 'Job', 'How far', 'Since', 'Actions']}>
          {jobs.map((job) => (
            <JobRow key={job.id} job={job} onSteer={(action) => void steer(job, action)} />
          ))}
        </Table>
      )}
    </section>
  )
}

function JobRow({ job, onSteer }: { job: Job; onSteer: (action: 'retry' | 'cancel') => void }) {
  const title = job.title ?? kindOf(job)
  const isOpen = job.state === 'queued' || job.state === 'running'
  const percent = Math.round(job.progress * 100)
  return (
    <tr>
      <td>
        <StateBadge state={job.state} />
      </td>
      <td>
        <strong>{title}</strong>
        {job.title !== null && (
          <p className="meta">{[kindOf(job), job.narrator ?? job.voice].filter(Boolean).join(', ')}</p>
        )}
      </td>
      <td data-label="How far">
        {job.isAbandoned && <p>{abandonedWords}</p>}
        {job.state === 'running' && !job.isAbandoned && (
          <>
            <progress className="meter" value={percent} max={100} aria-label={`Progress of ${title}`} />
            <span className="meta num">{percent} %</span>
          </>
        )}
        {job.state === 'queued' && job.attempts > 0 && (
          <span className="meta">
            Try {job.attempts + 1} of {job.attemptsMax}
          </span>
        )}
        {job.state !== 'done' && job.error && <p>{job.error}</p>}
      </td>
      <td data-label="Since" className="num">
        <Moment at={job.finishedAt ?? job.startedAt ?? job.createdAt} />
      </td>
      <td className="right">
        {isOpen && (
          <Button size="sm" aria-label={`Cancel: ${title}`} onClick={() => onSteer('cancel')}>
            Cancel
          </Button>
        )}
        {(job.state === 'failed' || job.state === 'cancelled') && (
          <Button size="sm" aria-label={`Retry: ${title}`} onClick={() => onSteer('retry')}>
            Retry
          </Button>
        )}
      </td>
    </tr>
  )
}

/** What changed takes its place; what is new comes first, on the page of the newest and where the filter has it. */
function mergeJobs(
  all: Job[],
  changed: Job[],
  { state, isNewest }: { state: Job['state'] | null; isNewest: boolean },
): Job[] {
  const byId = new Map(changed.map((job) => [job.id, job]))
  const known = new Set(all.map(({ id }) => id))
  const added = isNewest
    ? changed.filter((job) => !known.has(job.id) && (state === null || job.state === state))
    : []
  return [...added, ...all.map((job) => byId.get(job.id) ?? job)].sort((one, other) =>
    one.id < other.id ? 1 : -1,
  )
}

const kindNames: Record<string, string> = {
  narrate: 'Narration',
  enhance: 'Script',
  import: 'Import',
  mail: 'Mail',
  push: 'Notification',
  guideline_scan: 'Guidelines, over the whole library',
}

function kindOf({ kind }: Job): string {
  return kindNames[kind] ?? kind
}
