import { defineCommand } from 'citty'
import { changeCommand } from '#cli/change-rows'
import { choose, chooseNumber } from '#cli/choose'
import { jsonFlag, print, printCount, printNote, table } from '#cli/output'
import { choiceOf } from '#cli/value-hints'
import { operatorName, withServices } from '#cli/with-services'
import { changeFlags } from '#src/feature-flag/change'
import { isFeatureOn } from '#src/feature-flag/flags'
import { cancelJob, retryJob } from '#src/job/cancel-retry'
import { countJobs, type JobRow, listJobs } from '#src/job/queries'
import { abandonedWords, jobKinds, jobStates, pausedWords } from '#src/job/rules'
import { endStaleLeases } from '#src/job/worker-heartbeat'
import { cutPage } from '#src/shape/list-page'
import { requireItemId } from '#src/story/find-item-id'

const list = defineCommand({
  meta: {
    name: 'list',
    description: 'Lists the jobs, the newest first. Example: nocturne jobs list --state failed',
  },
  args: {
    state: { type: 'string', ...choiceOf(jobStates) },
    kind: { type: 'string', ...choiceOf(jobKinds) },
    item: { type: 'string', description: 'Only about this item, by its slug or id' },
    limit: { type: 'string', description: 'How many', default: '50' },
    cursor: { type: 'string', description: 'The id of the last job of the page before' },
    ...jsonFlag,
  },
  run: ({ args }) => {
    const { cursor } = args
    const state = args.state === undefined ? undefined : choose('state', jobStates, args.state)
    const kind = args.kind === undefined ? undefined : choose('kind', jobKinds, args.kind)
    const limit = chooseNumber('limit', args.limit, { min: 1, max: 5_000 })
    return withServices(async ({ db, env }) => {
      await endStaleLeases(db, env.dataDir)
      const storyId = args.item === undefined ? undefined : await requireItemId(db, args.item)
      const filter = { state, kind, storyId }
      const rows = await listJobs(db, { ...filter, limit: limit + 1, before: cursor })
      const { page: jobs, nextCursor } = cutPage(rows, limit, ({ id }) => id)
      print(args, jobs, () => table(jobs.map(lineOf)))
      printCount(jobs.length, { count: await countJobs(db, filter), nextCursor }, 'job')
      if (!(await isFeatureOn(db, 'jobQueue'))) printNote(pausedWords)
    })
  },
})

function lineOf({ id, kind, state, progress, title, error, isAbandoned }: JobRow): string[] {
  const words = isAbandoned ? abandonedWords : (error ?? '')
  return [id, kind, state, `${Math.round(progress * 100)} %`, title ?? '', words]
}

const id = { type: 'positional', description: "The job's id", required: true } as const

const retry = defineCommand({
  meta: {
    name: 'retry',
    description: 'Queues a failed or cancelled job again. Example: nocturne jobs retry 019c…',
  },
  args: { id, ...jsonFlag },
  run: ({ args }) =>
    withServices(async ({ db }) => {
      await retryJob(db, args.id, operatorName())
      print(args, { id: args.id, state: 'queued' }, () => ['Queued again.'])
    }),
})

const cancel = defineCommand({
  meta: {
    name: 'cancel',
    description: 'Cancels a waiting or running job. Example: nocturne jobs cancel 019c…',
  },
  args: { id, ...jsonFlag },
  run: ({ args }) =>
    withServices(async ({ db }) => {
      await cancelJob(db, args.id, operatorName())
      print(args, { id: args.id, state: 'cancelled' }, () => ['Cancelled.'])
    }),
})

/** Defines a command that switches the queue. `jobQueue` null sets the flag to its default: on. */
const switchCommand = (jobQueue: false | null, name: string, [description, done]: [string, string]) =>
  defineCommand({
    meta: { name, description: `${description} Example: nocturne jobs ${name}` },
    args: jsonFlag,
    run: ({ args }) =>
      withServices(async (services) => {
        await changeFlags(services, { jobQueue }, operatorName())
        print(args, { isPaused: jobQueue === false }, () => [done])
      }),
  })

export default defineCommand({
  meta: {
    name: 'jobs',
    description: 'What the server works on, mostly narrations: list, retry, cancel, change, pause, resume',
  },
  subCommands: {
    list,
    retry,
    cancel,
    pause: switchCommand(false, 'pause', [
      'Pauses the queue in every process; only mails are sent.',
      pausedWords,
    ]),
    resume: switchCommand(null, 'resume', [
      'Resumes the queue, within seconds.',
      'The queue is running again.',
    ]),
    change: changeCommand('jobs', 'nocturne jobs change retry --state failed'),
  },
})
