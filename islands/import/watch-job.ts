import { openJobEvents } from '#islands/job/job-events'
import type { Job } from '#src/job/schema'

/** If the stream stays closed for this long, the job is polled, which also detects an ended session. */
const retrySeconds = 3

/**
 * Calls `onJob` at each change of a job, across lost connections and restarts of the server, and `onGap` if a change
 * may have been missed. Returns a function that stops it.
 */
export function watchJob(id: string, onJob: (job: Job) => void, onGap: () => void): () => void {
  let events: EventSource
  let timer: ReturnType<typeof setTimeout> | undefined
  const dispatch = (job: Job) => job.id === id && onJob(job)

  const open = () => {
    events = openJobEvents((jobs) => {
      for (const job of jobs) dispatch(job)
      // Jobs that ended more than a minute ago are no longer in the stream.
      if (!jobs.some((job) => job.id === id)) onGap()
    }, dispatch)
    events.onerror = () => {
      if (events.readyState !== EventSource.CLOSED) return
      onGap()
      timer = setTimeout(open, retrySeconds * 1_000)
    }
  }
  open()
  return () => {
    clearTimeout(timer)
    events.close()
  }
}
