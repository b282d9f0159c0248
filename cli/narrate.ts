import { defineCommand } from 'citty'
import { UsageError } from '#cli/failure'
import { jsonFlag, print, progressBar, say, table } from '#cli/output'
import { type CliParts, operatorName, withParts } from '#cli/with-parts'
import { type JobRow, listJobsById } from '#src/job/queries'
import { runWorker } from '#src/job/worker'
import { enqueueNarration, narrateKind } from '#src/narration/enqueue'
import { estimateNarration } from '#src/narration/estimate'
import { narrateHandler } from '#src/narration/narrate'
import { listMissing } from '#src/narration/narrate-missing'
import { narrators, voiceOfNarrator } from '#src/narration/rules'
import { recordChange } from '#src/operator/audit'
import { Refusal } from '#src/refusal'
import { findText } from '#src/script/queries'
import { findItemId } from '#src/story/find-item-id'
import { type Voice, voices } from '#src/story/rules'

type Wish = { storyId: string; title: string; voice: Voice; narrator: string | null }

/** Somebody sits at the terminal: before everything else that waits. */
const terminalPriority = 10

export default defineCommand({
  meta: {
    name: 'narrate',
    description:
      'Has items spoken, and waits for them. Examples: nocturne narrate the-night-ferry --narrator serena · nocturne narrate --missing --estimate',
  },
  args: {
    'items…': { type: 'positional', description: 'What is spoken, by slug or id', required: false },
    missing: {
      type: 'boolean',
      description: 'Every published item without a narration in its voice',
      default: false,
    },
    voice: { type: 'string', description: 'female or male; else the voice of the item' },
    narrator: { type: 'string', description: `One of ${narrators.join(', ')}` },
    estimate: { type: 'boolean', description: 'Only say what it would cost', default: false },
    queue: { type: 'boolean', description: 'Only queue it, for the server to speak', default: false },
    ...jsonFlag,
  },
  run: ({ args }) => {
    const ids = args._
    const options = readOptions(args)
    if (ids.length === 0 && !args.missing) throw new UsageError('Name items by slug or id, or use --missing.')
    if (ids.length > 0 && args.missing) throw new UsageError('Name items, or use --missing; not both.')
    return withParts(async (parts) => {
      const wishes = await wishesOf(parts, ids, options)
      if (args.estimate) return printEstimates(args.json, await estimateAll(parts, wishes))
      const jobs = await queueAll(parts, wishes)
      if (args.queue) return print(args.json, jobs, () => [`${jobs.length} queued.`])
      const rows = await waitFor(parts, jobs, wishes)
      print(args.json, rows, () =>
        table(rows.map(({ title, state, error }) => [title ?? '', state, error ?? ''])),
      )
      if (rows.some(({ state }) => state !== 'done')) process.exitCode = 1
    })
  },
})

type Options = { voice: Voice | null; narrator: string | null }

function readOptions(args: { voice?: string; narrator?: string }): Options {
  const narrator = narrators.find((each) => each === args.narrator) ?? null
  if (args.narrator !== undefined && !narrator)
    throw new UsageError(`${JSON.stringify(args.narrator)} is no narrator. Use ${narrators.join(', ')}.`)
  const voice = voices.find((each) => each === args.voice) ?? null
  if (args.voice !== undefined && !voice)
    throw new UsageError(`${JSON.stringify(args.voice)} is no voice. Use ${voices.join(' or ')}.`)
  if (voice && narrator && voiceOfNarrator(narrator) !== voice)
    throw new UsageError(`${narrator} is a ${voiceOfNarrator(narrator)} voice. Leave --voice out.`)
  return { voice: narrator ? voiceOfNarrator(narrator) : voice, narrator }
}

async function wishesOf(
  { db }: CliParts,
  ids: readonly string[],
  { voice, narrator }: Options,
): Promise<Wish[]> {
  if (ids.length === 0) {
    const missing = await listMissing(db, voice)
    return missing.map(({ id, title, voice: own }) => ({ storyId: id, title, voice: own, narrator }))
  }
  const wishes: Wish[] = []
  for (const named of new Set(ids)) {
    const storyId = await findItemId(db, named)
    const story = storyId === null ? null : await findText(db, storyId)
    if (!storyId || !story) throw new Refusal('not_found', `There is no item ${named}.`)
    wishes.push({ storyId, title: story.title, voice: voice ?? story.voice, narrator })
  }
  return wishes
}

async function estimateAll(parts: CliParts, wishes: readonly Wish[]) {
  const estimates = []
  for (const { storyId, title, voice, narrator } of wishes)
    estimates.push({ storyId, title, ...(await estimateNarration(parts, storyId, voice, narrator)) })
  return estimates
}

function printEstimates(isJson: boolean, estimates: Awaited<ReturnType<typeof estimateAll>>): void {
  const sum = (key: 'costUsd' | 'durationSeconds') => estimates.reduce((all, each) => all + each[key], 0)
  print(isJson, estimates, () => [
    ...table(
      estimates.map((each) => [
        each.title,
        each.narrator,
        each.provider,
        minutes(each.durationSeconds),
        dollars(each.costUsd),
      ]),
    ),
    `${estimates.length} items, about ${minutes(sum('durationSeconds'))}, about ${dollars(sum('costUsd'))}`,
  ])
}

async function queueAll({ db }: CliParts, wishes: readonly Wish[]): Promise<string[]> {
  const ids: string[] = []
  for (const { storyId, title, voice, narrator } of wishes) {
    const id = await enqueueNarration(db, storyId, voice, {
      priority: terminalPriority,
      ...(narrator !== null && { narrator }),
    })
    if (!id) throw new Refusal('invalid', `${title} has no text to narrate.`)
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

/** Speaks here, beside the server where one runs, until these jobs are over. */
async function waitFor(parts: CliParts, ids: readonly string[], wishes: readonly Wish[]): Promise<JobRow[]> {
  const { db, log, env } = parts
  const worker = runWorker({
    db,
    log,
    dataDir: env.dataDir,
    concurrency: env.narrationsAtOnce,
    handlers: { [narrateKind]: narrateHandler(parts) },
  })
  const bar = progressBar()
  const told = new Set<string>()
  try {
    for (;;) {
      const rows = await listJobsById(db, ids)
      for (const row of rows.filter(isOver)) {
        if (process.stderr.isTTY || told.has(row.id)) continue
        told.add(row.id)
        say(`${row.title}: ${row.error ?? row.state} (${told.size}/${wishes.length})`)
      }
      const share = rows.reduce((sum, row) => sum + (isOver(row) ? 1 : row.progress), 0)
      if (process.stderr.isTTY) bar('Narrating', Math.round(share * 100), rows.length * 100)
      if (rows.every(isOver)) return rows
      await Bun.sleep(300)
    }
  } finally {
    await worker.stop()
  }
}

function isOver({ state }: JobRow): boolean {
  return state === 'done' || state === 'failed' || state === 'cancelled'
}

function minutes(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(Math.round(seconds % 60)).padStart(2, '0')} min`
}

function dollars(usd: number): string {
  return usd === 0 ? 'free' : `$${usd.toFixed(usd < 0.1 ? 3 : 2)}`
}
