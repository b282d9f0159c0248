import { checkAudio } from '#src/narration/check-audio'
import { type HeardWord, readHeardWords, timingsCharactersMax } from '#src/narration/read-heard-words'
import type { StagedFile } from '#src/narration/staging'
import type { AudioStorage } from '#src/narration/storage'
import type { Parts } from '#src/parts'
import { Refusal } from '#src/refusal'
import { applyImport, type ImportRequest, type ImportResult, planOnly } from './apply'
import type { RowProblem } from './decode-row'
import { decodeRows } from './decode-rows'
import type { CheckedAudio, Plan } from './plan'
import { readSheet, sheetKind } from './read-sheet'

/** An audio file of an import: staged already (an upload), or to be staged from where it lies (the CLI). */
export type AudioSource = { fileName: string; stage(): Promise<StagedFile> }
export type FileImport = { sheet: { path: string; fileName: string }; audio: readonly AudioSource[] }
export type FileImportOptions = Pick<ImportRequest, 'strict' | 'narrate'> & {
  isDryRun: boolean
  status?: ImportRequest['status']
}
export type Progress = (step: 'reading' | 'checking audio' | 'writing', done: number, total: number) => void

/** A dry run has a plan and no batch; a real one has both. */
export type FileImportOutcome = { plan: Plan; result: ImportResult | null; skippedLines: number }

/**
 * A sheet and its audio files, from console, API and CLI: read, checked, planned, and unless it is a dry run
 * applied. A file that is not audio is a problem of the plan and is never stored; whatever fails leaves no
 * file behind.
 */
export async function importFiles(
  parts: Pick<Parts, 'db' | 'storage'>,
  files: FileImport,
  options: FileImportOptions,
  by: string,
  onProgress: Progress = () => {},
): Promise<FileImportOutcome> {
  onProgress('reading', 0, 1)
  const { rows: source, skipped } = await readSheet(files.sheet.path, files.sheet.fileName)
  const rows = await decodeRows(parts.db, source, by)
  onProgress('reading', 1, 1)
  const { audio, problems } = await checkAll(parts.storage, files.audio, options.isDryRun, onProgress)
  if (options.isDryRun) {
    return {
      plan: withProblems(await planOnly(parts.db, { rows, audio }), problems),
      result: null,
      skippedLines: skipped,
    }
  }
  if (options.strict && problems[0]) throw new Refusal('invalid', problems[0].message)
  onProgress('writing', 0, rows.length)
  const { fileName } = files.sheet
  const request: ImportRequest = {
    kind: sheetKind(fileName).slice(1) || 'file',
    fileName,
    rows,
    audio,
    strict: options.strict,
    narrate: options.narrate,
    status: options.status,
  }
  const result = await applyImport(parts.db, request, by)
  onProgress('writing', rows.length, rows.length)
  return { plan: withProblems(result.plan, problems), result, skippedLines: skipped }
}

/**
 * Every file checked and, unless nothing may change, moved to its place before the transaction: a crash
 * between the two leaves a file that no row names, which the sweep removes, never a row without its file.
 */
async function checkAll(
  storage: AudioStorage,
  sources: readonly AudioSource[],
  isDryRun: boolean,
  onProgress: Progress,
) {
  const audio: CheckedAudio[] = []
  const problems: RowProblem[] = []
  const heard = new Map<string, { fileName: string; words: HeardWord[] }>()
  for (const [at, source] of sources.entries()) {
    onProgress('checking audio', at, sources.length)
    const staged = await source.stage()
    try {
      if (isTimings(source.fileName)) {
        const words = readHeardWords(await readText(staged))
        heard.set(baseOf(source.fileName), { fileName: source.fileName, words })
        continue
      }
      const { extension, durationSeconds } = await checkAudio(staged.path, source.fileName)
      if (!isDryRun) await storage.keep(staged, extension)
      audio.push({
        fileName: source.fileName,
        hash: staged.hash,
        extension,
        durationSeconds,
        sizeBytes: staged.sizeBytes,
      })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const message = isTimings(source.fileName) ? `${source.fileName}: ${error.message}` : error.message
      problems.push({ row: 0, field: 'audio', message })
    } finally {
      await storage.discard(staged)
    }
  }
  return {
    audio: audio.map((file) => withTimings(file, heard)),
    problems: [...problems, ...lonely(audio, heard)],
  }
}

/** A file of timings lies beside its audio under the same name: moon.mp3, moon.vtt. */
function isTimings(fileName: string): boolean {
  return /\.(vtt|srt|json)$/i.test(fileName)
}

function baseOf(fileName: string): string {
  return fileName
    .replace(/^.*[\\/]/, '')
    .replace(/\.[a-z0-9]{1,5}$/i, '')
    .toLowerCase()
}

async function readText(staged: StagedFile): Promise<string> {
  if (staged.sizeBytes > timingsCharactersMax)
    throw new Refusal('invalid', 'This file is too large for timings. Cut it into parts.')
  return Bun.file(staged.path).text()
}

type Timed = ReadonlyMap<string, { fileName: string; words: HeardWord[] }>

function withTimings(file: CheckedAudio, heard: Timed): CheckedAudio {
  const found = heard.get(baseOf(file.fileName))
  return found ? { ...file, heard: found.words } : file
}

function lonely(audio: readonly CheckedAudio[], heard: Timed): RowProblem[] {
  const bases = new Set(audio.map(({ fileName }) => baseOf(fileName)))
  return [...heard].flatMap(([base, { fileName }]) =>
    bases.has(base)
      ? []
      : [
          {
            row: 0,
            field: 'audio',
            message: `${fileName} has no audio beside it. Name both alike, such as moon.mp3 and moon.vtt.`,
          },
        ],
  )
}

function withProblems(plan: Plan, problems: readonly RowProblem[]): Plan {
  return { ...plan, problems: [...plan.problems, ...problems] }
}
