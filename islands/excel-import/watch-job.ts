import type { Draft } from '#src/import/draft/schema'
import { urls } from '#src/urls'

export type WatchedJob = NonNullable<Draft['job']>

/** After this long without a stream the server is asked by hand: an ended session shows itself then. */
const retrySeconds = 3

/**
 * Tells of each change of a job, through lost connections and restarts of the server; `onGap` is called where
 * something may have been missed. Gives the way to stop.
 */
export function watchJob(id: string, onJob: (job: WatchedJob) => void, onGap: () => void): () => void {
  let events: EventSource
  let timer: ReturnType<typeof setTimeout> | undefined
  const tell = (job: WatchedJob) => job.id === id && onJob(job)

  const open = () => {
    events = new EventSource(urls.apiJobEvents())
    events.addEventListener('jobs', ({ data }) => {
      const jobs: WatchedJob[] = JSON.parse(data)
      for (const job of jobs) tell(job)
      // What ended more than a minute ago is not in the stream any more.
      if (!jobs.some((job) => job.id === id)) onGap()
    })
    events.addEventListener('job', ({ data }) => void tell(JSON.parse(data)))
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
