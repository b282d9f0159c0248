import { consoleUrls } from '#src/console-urls'
import type { Job } from '#src/job/schema'

/**
 * Opens the stream of jobs. At each connection `onJobs` receives those that are queued, running or ended in the last
 * minute; then `onJob` receives each job that changes. Close the stream when it is no longer needed.
 */
export function openJobEvents(onJobs: (jobs: Job[]) => void, onJob: (job: Job) => void): EventSource {
  const events = new EventSource(consoleUrls.apiJobEvents())
  events.addEventListener('jobs', ({ data }) => onJobs(JSON.parse(data)))
  events.addEventListener('job', ({ data }) => onJob(JSON.parse(data)))
  return events
}
