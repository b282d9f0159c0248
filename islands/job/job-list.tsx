import { useEffect, useState } from 'react'
import { openJobEvents } from '#islands/job/job-events'
import { type JobFilter, mergeJobs } from '#islands/job/merge-jobs'
import { emit } from '#islands/runtime/events'
import { operatorApi } from '#islands/runtime/operator-api'
import { orToast } from '#islands/runtime/or-toast'
import { IslandTime } from '#islands/site/local-time'
import { abandonedWords, jobKindName } from '#src/job/rules'
import type { Job } from '#src/job/schema'
import { StateBadge } from '#src/job/state-badge'
import { PickBox, PickRoom } from '#src/selection/pick-box'
import { Button } from '#src/ui/button'
import { NothingHere } from '#src/ui/console/nothing-here'
import { Table } from '#src/ui/console/table'

/** One page of the queue, updated by server-sent events. Jobs are retried and cancelled in place. */
export default function JobList(props: { jobs: Job[]; filter: JobFilter; since: string | null }) {
  const { since } = props
  const { state, kind } = props.filter
  const [jobs, setJobs] = useState(props.jobs)

  useEffect(() => {
    const merge = (changed: Job[]) => setJobs((all) => mergeJobs(all, changed, { state, kind, since }))
    const events = openJobEvents(merge, (job) => merge([job]))
    return () => events.close()
  }, [state, kind, since])

  const steer = async (job: Job, action: Action) => {
    const next = await orToast(() => operatorApi(`POST /api/jobs/:id/${action}`, { path: { id: job.id } }), {
      title: 'Error',
      otherwise: 'Please try again',
    })
    if (!next) return
    const { state: after } = next
    setJobs((all) => all.map((each) => (each.id === job.id ? { ...each, state: after } : each)))
    const undo = action === 'cancel' ? 'retry' : 'cancel'
    emit('nocturne:toast', { title: doneWords[action], undo: () => void steer(job, undo) })
  }

  return (
    <section className="panel panel-flush more-jobs" aria-label="Queue">
      {jobs.length === 0 ? (
        <NothingHere>No jobs here. New ones appear here automatically.</NothingHere>
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

type Action = 'retry' | 'cancel'
const actionWords: Record<Action, string> = { retry: 'Retry', cancel: 'Cancel' }
const doneWords: Record<Action, string> = { retry: 'Job queued again', cancel: 'Job cancelled' }

/** Returns the action on a job, or null if it is done. */
function actionOf({ state }: Job): Action | null {
  if (state === 'queued' || state === 'running') return 'cancel'
  return state === 'done' ? null : 'retry'
}

function JobRow({ job, onSteer }: { job: Job; onSteer: (action: Action) => void }) {
  const title = job.title ?? jobKindName(job.kind)
  const action = actionOf(job)
  const percent = Math.round(job.progress * 100)
  return (
    <tr data-pick-row="">
      <td>
        <span className="btn-row badge-row">
          {action ? <PickBox id={job.id} title={title} /> : <PickRoom />}
          <StateBadge state={job.state} />
        </span>
      </td>
      <th scope="row">
        <strong>{title}</strong>
        {job.title !== null && (
          <p className="meta">
            {[jobKindName(job.kind), job.narrator ?? job.voice].filter(Boolean).join(', ')}
          </p>
        )}
      </th>
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
        <IslandTime at={job.finishedAt ?? job.startedAt ?? job.createdAt} />
      </td>
      <td className="right">
        {action && (
          <Button size="sm" aria-label={`${actionWords[action]}: ${title}`} onClick={() => onSteer(action)}>
            {actionWords[action]}
          </Button>
        )}
      </td>
    </tr>
  )
}
