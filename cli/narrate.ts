import { defineCommand } from 'citty'
import { choose } from '#cli/choose'
import { UsageError } from '#cli/failure'
import { type JsonChoice, jsonFlag, print, printNote, progressBar, table } from '#cli/output'
import { choiceOf } from '#cli/value-hints'
import { type CliServices, operatorName, withServices } from '#cli/with-services'
import { AppError } from '#src/app-error'
import { isFeatureOn } from '#src/feature-flag/flags'
import { type JobRow, listJobsById } from '#src/job/queries'
import { pausedWords, priorities } from '#src/job/rules'
import { runWorker } from '#src/job/worker'
import { costWords } from '#src/narration/cost-words'
import { enqueueNarration, narrateKind } from '#src/narration/enqueue'
import { estimateNarration } from '#src/narration/estimate'
import { narrateHandler } from '#src/narration/narrate'
import { listMissing } from '#src/narration/narrate-missing'
import { narrators, voiceOfNarrator } from '#src/narration/rules'
import { recordChange } from '#src/operator/audit'
import { findText } from '#src/script/queries'
import { findItemId } from '#src/story/find-item-id'
import { isOpenToOperators } from '#src/story/operator-sight'
import { type Voice, voices } from '#src/story/rules'
import { pluralize } from '#src/text/pluralize'
import { clock } from '#src/ui/clock'

type NarrationRequest = { storyId: string; title: string; voice: Voice; narrator: string | null }

export default defineCommand({
  meta: {
    name: 'narrate',
    description:
      'Narrates items, and waits for them. Examples: nocturne narrate the-night-ferry --narrator serena · nocturne narrate --missing --estimate',
  },
  args: {
    'items…': { type: 'positional', description: 'The items, by slug or id', required: false },
    missing: {
      type: 'boolean',
      description: 'Every published item without a narration in its voice',
      default: false,
    },
    voice: { type: 'string', ...choiceOf(voices, 'female or male; by default the voice of the item') },
    narrator: { type: 'string', ...choiceOf(narrators, `One of ${narrators.join(', ')}`) },
    estimate: { type: 'boolean', description: 'Only show what it would cost', default: false },
    queue: { type: 'boolean', description: 'Only queue them, for the server to narrate', default: false },
    ...jsonFlag,
  },
  run: ({ args }) => {
    const ids = args._
    const options = readOptions(args)
    if (ids.length === 0 && !args.missing) throw new UsageError('Name items by slug or id, or use --missing.')
    if (ids.length > 0 && args.missing) throw new UsageError('Name items, or use --missing; not both.')
    return withServices(async (services) => {
      const requests = await requestsOf(services, ids, options)
      if (args.estimate) return printEstimates(args, await estimateAll(services, requests))
      const jobs = await queueAll(services, requests)
      if (args.queue) return print(args, jobs, () => [`${jobs.length} queued.`])
      const rows = await waitFor(services, jobs, requests)
      print(args, rows, () => table(rows.map(({ title, state, error }) => [title ?? '', state, error ?? ''])))
      if (rows.some(({ state }) => state !== 'done')) process.exitCode = 1
    })
  },
})

type Options = { voice: Voice | null; narrator: string | null }

function readOptions(args: { voice?: string; narrator?: string }): Options {
  const narrator = args.narrator === undefined ? null : choose('narrator', narrators, args.narrator)
  const voice = args.voice === undefined ? null : choose('voice', voices, args.voice)
  if (voice && narrator && voiceOfNarrator(narrator) !== voice)
    throw new UsageError(`${narrator} is a ${voiceOfNarrator(narrator)} voice. Leave --voice out.`)
  return { voice: narrator ? voiceOfNarrator(narrator) : voice, narrator }
}

async function requestsOf(
  { db }: CliServices,
  ids: readonly string[],
  { voice, narrator }: Options,
): Promise<NarrationRequest[]> {
  if (ids.length === 0) {
    const missing = await listMissing(db, voice)
    return missing.map(({ id, title, voice: own }) => ({ storyId: id, title, voice: own, narrator }))
  }
  const requests: NarrationRequest[] = []
  for (const named of new Set(ids)) {
    const storyId = await findItemId(db, named)
    const story = storyId === null ? null : await findText(db, storyId, isOpenToOperators())
    if (!storyId || !story) throw new AppError('not_found', `There is no item ${named}.`)
    requests.push({ storyId, title: story.title, voice: voice ?? story.voice, narrator })
  }
  return requests
}

async function estimateAll(services: CliServices, requests: readonly NarrationRequest[]) {
  const estimates = []
  for (const { storyId, title, voice, narrator } of requests)
    estimates.push({ storyId, title, ...(await estimateNarration(services, storyId, voice, narrator)) })
  return estimates
}

function printEstimates(choice: JsonChoice, estimates: Awaited<ReturnType<typeof estimateAll>>): void {
  const sum = (key: 'costUsd' | 'durationSeconds') => estimates.reduce((all, each) => all + each[key], 0)
  print(choice, estimates, () => [
    ...table(
      estimates.map((each) => [
        each.title,
        each.narrator,
        each.provider,
        clock(each.durationSeconds),
        costWords(each.costUsd),
      ]),
    ),
    `${pluralize(estimates.length, 'item')}, about ${clock(sum('durationSeconds'))} in all, ${costWords(sum('costUsd'))}`,
  ])
}

async function queueAll({ db }: CliServices, requests: readonly NarrationRequest[]): Promise<string[]> {
  const ids: string[] = []
  for (const { storyId, title, voice, narrator } of requests) {
    const id = await enqueueNarration(db, storyId, voice, {
      priority: priorities.now,
      ...(narrator !== null && { narrator }),
    })
    if (!id) throw new AppError('invalid', `${title} has no text to narrate.`)
    await recordChange(db, operatorName(), {
      action: 'narrate',
      subjectType: 'item',
      subjectId: storyId,
      after: { voice, narrator, jobId: id },
    })
    ids.push(id)
  }
  return ids
}

/**
 * Runs a worker in this process, even if a server is running too, until these jobs have finished or the queue is paused
 * and none of them is running.
 */
async function waitFor(
  services: CliServices,
  ids: readonly string[],
  requests: readonly NarrationRequest[],
): Promise<JobRow[]> {
  const { db, env } = services
  const worker = runWorker(services, {
    concurrency: env.narrationsAtOnce,
    handlers: { [narrateKind]: narrateHandler(services) },
  })
  const bar = progressBar()
  const reported = new Set<string>()
  try {
    for (;;) {
      const rows = await listJobsById(db, ids)
      for (const row of rows.filter(isOver)) {
        if (process.stderr.isTTY || reported.has(row.id)) continue
        reported.add(row.id)
        printNote(`${row.title}: ${row.error ?? row.state} (${reported.size}/${requests.length})`)
      }
      const share = rows.reduce((sum, row) => sum + (isOver(row) ? 1 : row.progress), 0)
      if (process.stderr.isTTY) bar('Narrating', Math.round(share * 100), rows.length * 100)
      if (rows.every(isOver)) return rows
      if (!rows.some(isRunning) && !(await isFeatureOn(db, 'jobQueue'))) {
        printNote(pausedWords)
        return rows
      }
      await Bun.sleep(300)
    }
  } finally {
    await worker.stop()
  }
}

function isRunning({ state }: JobRow): boolean {
  return state === 'running'
}

function isOver({ state }: JobRow): boolean {
  return state === 'done' || state === 'failed' || state === 'cancelled'
}
