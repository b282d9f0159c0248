import { readdir, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { UsageError } from '#cli/failure'
import { print, progressBar, say, table } from '#cli/output'
import { operatorName, withParts } from '#cli/with-parts'
import { toAnswer } from '#src/import/api'
import { failedRowsCsv } from '#src/import/failed-rows'
import { type AudioSource, importFiles } from '#src/import/import-files'
import type { AudioStorage } from '#src/narration/storage'
import { Refusal } from '#src/refusal'

export const importFlags = {
  'dry-run': { type: 'boolean', description: 'Print the plan and change nothing', default: false },
  strict: { type: 'boolean', description: 'All or nothing: one problem refuses the file', default: false },
  narrate: { type: 'boolean', description: 'Narrate new items that come without audio', default: false },
  failed: { type: 'string', description: 'A CSV to write the rows to that failed, to mend and import again' },
} as const

/** Imports a sheet, with a folder of audio where there is one, and prints the plan or what was done. */
export async function importFromTerminal(args: {
  file: string
  mp3?: string
  'dry-run': boolean
  strict: boolean
  narrate: boolean
  failed?: string
  json: boolean
}): Promise<void> {
  const sheet = await findSheet(args.file)
  const folder = args.mp3
  await withParts(async (parts) => {
    const audio = folder ? await listAudio(parts.storage, folder) : []
    const bar = progressBar()
    const outcome = await importFiles(
      parts,
      { sheet, audio },
      { isDryRun: args['dry-run'], strict: args.strict, narrate: args.narrate ? 'all' : 'none' },
      operatorName(),
      bar,
    )
    const answer = { ...toAnswer(outcome), skippedLines: outcome.skippedLines }
    print(args.json, answer, () => [
      ...table(
        answer.rows.map((row) => [
          String(row.row),
          row.verdict,
          row.title,
          row.audio.map(({ voice, fileName }) => `${fileName} (${voice})`).join(', '),
        ]),
      ),
      '',
      answer.message,
      ...(answer.matchedAudio > 0 ? [`${answer.matchedAudio} audio files matched.`] : []),
    ])
    for (const name of answer.unmatchedAudio) say(`No row is called like ${name}.`)
    for (const { row, field, message } of answer.problems)
      say(row > 0 ? `Row ${row}, ${field}: ${message}` : message)
    for (const warning of answer.warnings) say(warning)
    if (outcome.skippedLines > 0)
      say(`${outcome.skippedLines} lines with fewer than four columns were left out.`)
    const failed = args.failed ? failedRowsCsv(outcome.plan, outcome.source) : null
    if (args.failed && failed) {
      await Bun.write(args.failed, failed)
      say(`The rows that failed are in ${args.failed}.`)
    }
    if (answer.batchId) say(`To take it back: nocturne imports undo ${answer.batchId}`)
    if (answer.problems.length > 0) process.exitCode = 1
  })
}

/** A sheet by its path, or standard input where that is `-`. */
export async function findSheet(file: string): Promise<{ path: string; fileName: string }> {
  if (file === '-') {
    const path = join(tmpdir(), `nocturne-stdin-${process.pid}.txt`)
    await Bun.write(path, await Bun.stdin.bytes())
    return { path, fileName: 'stdin.txt' }
  }
  const found = await stat(file).catch(() => null)
  if (!found?.isFile()) throw new UsageError(`There is no file ${file}.`)
  return { path: file, fileName: basename(file) }
}

async function listAudio(storage: AudioStorage, folder: string): Promise<AudioSource[]> {
  const names = await readdir(folder).catch(() => null)
  if (!names) throw new UsageError(`There is no folder ${folder}.`)
  const audio = names.filter((name) => !name.startsWith('.')).sort()
  if (audio.length === 0) throw new Refusal('invalid', `The folder ${folder} is empty.`)
  return audio.map((fileName) => ({ fileName, stage: () => storage.receive(join(folder, fileName)) }))
}
