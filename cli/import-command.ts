import { mkdtempSync, rmSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { UsageError } from '#cli/failure'
import { choiceFlags, choicesOf } from '#cli/imports/choices'
import { print, printNote, progressBar, table } from '#cli/output'
import { requireFile } from '#cli/read-text'
import { fileNamed } from '#cli/value-hints'
import { operatorName, withServices } from '#cli/with-services'
import { AppError } from '#src/app-error'
import { describePlan } from '#src/import/describe-plan'
import { failedRowsCsv } from '#src/import/failed-rows'
import { toAnswer } from '#src/import/import-answer'
import { type AudioSource, importFiles } from '#src/import/import-files'
import { problemSentence } from '#src/import/place-words'
import { problemsListedMax } from '#src/import/rules'
import type { AudioStorage } from '#src/storage/storage'
import { writeWhole } from '#src/storage/whole-file'
import { pluralize } from '#src/text/pluralize'

export const importFlags = {
  'dry-run': { type: 'boolean', description: 'Print the plan and change nothing', default: false },
  strict: {
    type: 'boolean',
    description: 'All or nothing: one problem, and nothing is imported',
    default: false,
  },
  narrate: { type: 'boolean', description: 'Narrate new items that come without audio', default: false },
  ...choiceFlags,
  failed: { type: 'string', ...fileNamed('A CSV for the rows that failed, to fix and import again') },
} as const

/** Imports a sheet, with a folder of audio if given, and prints the plan or the result. */
export async function importFromTerminal(args: {
  file: string
  mp3?: string
  'dry-run': boolean
  strict: boolean
  narrate: boolean
  failed?: string
  sheets?: string
  columns?: string
  'hidden-rows': boolean
  json: boolean
}): Promise<void> {
  const sheet = await findSheet(args.file)
  const folder = args.mp3
  await withServices(async (services) => {
    const audio = folder ? await listAudio(services.storage, folder) : []
    const outcome = await importFiles(
      services,
      { sheet, choices: choicesOf(args), audio },
      {
        isDryRun: args['dry-run'],
        strict: args.strict,
        narrate: args.narrate ? 'all' : 'none',
        onProgress: progressBar(),
      },
      operatorName(),
    )
    const answer = { ...toAnswer(outcome), skippedLines: outcome.skippedLines }
    const described = await describePlan(outcome.plan)
    print(args, answer, () => [
      ...table(
        answer.rows.map((row, at) => [
          ...(row.sheet === undefined ? [] : [row.sheet]),
          String(row.row),
          row.verdict,
          row.title,
          row.verdict === 'problem' ? '' : (described[at]?.what ?? ''),
          row.audio.map(({ voice, fileName }) => `${fileName} (${voice})`).join(', '),
        ]),
      ),
      '',
      answer.message,
      ...(answer.matchedAudio > 0 ? [`${pluralize(answer.matchedAudio, 'audio file')} matched.`] : []),
    ])
    for (const name of answer.unmatchedAudio) printNote(`No row is named like ${name}.`)
    for (const note of answer.notes) printNote(note)
    for (const problem of outcome.plan.problems.slice(0, problemsListedMax))
      printNote(problemSentence(problem))
    for (const warning of answer.warnings) printNote(warning)
    if (outcome.skippedLines > 0)
      printNote(`${pluralize(outcome.skippedLines, 'line')} with fewer than four columns left out.`)
    const failed = args.failed ? failedRowsCsv(outcome.plan, outcome.source) : null
    if (args.failed && failed) {
      await writeWhole(args.failed, [Buffer.from(failed)], { access: 'shared' })
      printNote(`The rows that failed are in ${args.failed}.`)
    }
    if (answer.batchId) printNote(`To undo it: nocturne imports undo ${answer.batchId}`)
    if (answer.problems.length > 0) process.exitCode = 1
  })
}

/** Finds a sheet by its path, or reads standard input for `-`. */
export async function findSheet(file: string): Promise<{ path: string; fileName: string }> {
  if (file === '-') {
    // A private folder: the texts are unpublished, and in a shared one others could read them or plant links.
    const sheet = await Bun.stdin.bytes()
    const folder = mkdtempSync(join(tmpdir(), 'nocturne-'))
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
    const path = join(folder, 'stdin.txt')
    await Bun.write(path, sheet)
    return { path, fileName: basename(path) }
  }
  await requireFile(file)
  return { path: file, fileName: basename(file) }
}

async function listAudio(storage: AudioStorage, folder: string): Promise<AudioSource[]> {
  const names = await readdir(folder).catch(() => null)
  if (!names) throw new UsageError(`There is no folder ${folder}.`)
  const audio = names.filter((name) => !name.startsWith('.')).sort()
  if (audio.length === 0) throw new AppError('invalid', `The folder ${folder} is empty.`)
  return audio.map((fileName) => ({ fileName, stage: () => storage.receive(join(folder, fileName)) }))
}
