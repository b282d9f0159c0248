import type { Job } from '#src/job/schema'

export type JobFilter = { state?: Job['state']; kind?: string }

/**
 * Merges changed jobs into a page of jobs, the newest first. A changed job keeps its place. A new job is added if the
 * filter includes it and its id is greater than `since`: older ones are on other pages. Ids are ordered by time. If
 * `since` is null, no jobs are added.
 */
export function mergeJobs(
  page: readonly Job[],
  changed: readonly Job[],
  { state, kind, since }: JobFilter & { since: string | null },
): Job[] {
  const byId = new Map(changed.map((job) => [job.id, job]))
  const known = new Set(page.map(({ id }) => id))
  const added = changed.filter(
    (job) =>
      since !== null &&
      job.id > since &&
      !known.has(job.id) &&
      (state === undefined || job.state === state) &&
      (kind === undefined || job.kind === kind),
  )
  return [...added, ...page.map((job) => byId.get(job.id) ?? job)].sort((one, other) =>
    one.id < other.id ? 1 : -1,
  )
}
