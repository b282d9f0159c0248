import { defineCommand } from 'citty'
import { UsageError } from '#cli/failure'
import { jsonFlag, print, table } from '#cli/output'
import { operatorName, withParts } from '#cli/with-parts'
import { listJobs } from '#src/job/queries'
import { jobStates } from '#src/job/rules'
import { cancelJob, retryJob } from '#src/job/steer'

const list = defineCommand({
  meta: {
    name: 'list',
    description: 'Lists the jobs, the newest first. Example: nocturne jobs list --state failed',
  },
  args: { state: { type: 'string', description: jobStates.join(', ') }, ...jsonFlag },
  run: ({ args }) => {
    const state = jobStates.find((each) => each === args.state)
    if (args.state && !state)
      throw new UsageError(`${JSON.stringify(args.state)} is no state. Use ${jobStates.join(', ')}.`)
    return withParts(async ({ db }) => {
      const jobs = await listJobs(db, { state })
      print(args.json, jobs, () =>
        table(
          jobs.map((job) => [
            job.id,
            job.kind,
            job.state,
            `${Math.round(job.progress * 100)} %`,
            job.error ?? '',
          ]),
        ),
      )
    })
  },
})

const id = { type: 'positional', description: "The job's id", required: true } as const

const retry = defineCommand({
  meta: {
    name: 'retry',
    description: 'Queues a failed or cancelled job again. Example: nocturne jobs retry 019c…',
  },
  args: { id, ...jsonFlag },
  run: ({ args }) =>
    withParts(async ({ db }) => {
      await retryJob(db, args.id, operatorName())
      print(args.json, { id: args.id, state: 'queued' }, () => ['Queued again.'])
    }),
})

const cancel = defineCommand({
  meta: {
    name: 'cancel',
    description: 'Cancels a job that waits or runs. Example: nocturne jobs cancel 019c…',
  },
  args: { id, ...jsonFlag },
  run: ({ args }) =>
    withParts(async ({ db }) => {
      await cancelJob(db, args.id, operatorName())
      print(args.json, { id: args.id, state: 'cancelled' }, () => ['Cancelled.'])
    }),
})

export default defineCommand({
  meta: { name: 'jobs', description: 'Narrations in the making: list, retry, cancel' },
  subCommands: { list, retry, cancel },
})
