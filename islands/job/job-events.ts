import type { Job } from '#src/job/schema'
import { urls } from '#src/urls'

/**
 * The stream of jobs. `onJobs` receives, at each connection, those that wait, run or ended in the last minute;
 * `onJob` then each that changes. Close it when it is no longer needed.
 */
export function openJobEvents(onJobs: (jobs: Job[]) => void, onJob: (job: Job) => void): EventSource {
  const events = new EventSource(urls.apiJobEvents())
  events.addEventListener('jobs', ({ data }) => onJobs(JSON.parse(data)))
  events.addEventListener('job', ({ data }) => onJob(JSON.parse(data)))
  return events
}
