import type { Guidelines } from '#src/guideline/judge'
import type { ModeratedText } from '#src/guideline/moderation-gate'
import type { ImportItem } from '#src/import/rows/decode-row'
import { problemAt, type RowPlace, type RowProblem } from '#src/import/rows/row-problem'
import type { AudioExtension } from '#src/narration/rules'
import type { HeardWord } from '#src/narration/timing/read-heard-words'
import { createTimeSlicer } from '#src/process/time-slice'
import { type ItemType, type Voice, voices } from '#src/story/rules'
import { pluralize } from '#src/text/pluralize'
import { changesOf, type ExistingItem, type ExistingItems, type FieldChange, itemKey } from './existing-item'
import { type AudioMatch, groupByKey, matchAudio } from './match-audio'
import { placeWords } from './place-words'
import { columnName, isJudged } from './rules'

/** A checked audio file that is not attached to an item yet. */
export type CheckedAudio = {
  fileName: string
  hash: string
  extension: AudioExtension
  durationSeconds: number
  sizeBytes: number
  /** Warnings, each with its fix. */
  warnings?: string[]
  /** The content of the file of timings that accompanies it. */
  heard?: readonly HeardWord[]
}

type Verdict = 'create' | 'update' | 'same' | 'problem' | 'empty'
export type PlannedAudio = { voice: Voice; file: CheckedAudio; isNew: boolean }
export type PlannedRow = {
  row: number
  sheet?: string
  title: string
  type: ItemType
  verdict: Verdict
  item: ImportItem
  /** Held, with the decisions, only if the row writes the text that was judged: an unchanged text is not held again. */
  admitted: DecodedRow['admitted']
  existingId: string | null
  changes: FieldChange[]
  audio: PlannedAudio[]
  problems: RowProblem[]
}
export type Plan = {
  rows: PlannedRow[]
  problems: RowProblem[]
  unmatchedAudio: string[]
  counts: {
    create: number
    update: number
    same: number
    problem: number
    empty: number
    matchedAudio: number
  }
}

export type DecodedRow = RowPlace & {
  item: ImportItem
  /** The guidelines' findings in the row's text. */
  admitted: Pick<ModeratedText, 'warnings' | 'isHeld' | 'decisions'>
  /** The guidelines that accepted the text. They may change before the text is written. */
  judgedBy: Guidelines
  problems: RowProblem[]
  isEmpty: boolean
}

/**
 * Computes the effect of an import, row by row. Pure; yields to other requests on the way. A row whose title occurs
 * twice in the file is a problem, unless both rows are the same or state two different items of the library.
 */
export async function planImport(
  decoded: readonly DecodedRow[],
  existing: ExistingItems,
  audio: readonly CheckedAudio[],
): Promise<Plan> {
  const pause = createTimeSlicer()
  const files = groupByKey(audio)
  const firstRows = new Map<string, DecodedRow>()
  const used = new Set<string>()
  const problems: RowProblem[] = []
  const planRow = (each: DecodedRow): PlannedRow => {
    const { row, sheet, item, admitted, isEmpty } = each
    const planned = {
      row,
      ...(sheet !== undefined && { sheet }),
      title: item.title,
      type: item.type,
      item,
      admitted: { ...admitted, isHeld: false, decisions: [] },
      existingId: null,
      changes: [],
      audio: [],
      problems: [],
    }
    if (isEmpty) return { ...planned, verdict: 'empty' }
    const sameTitle = existing.get(itemKey(item.type, item.title)) ?? []
    const stated = sameTitle.find(({ id }) => id === item.id)
    const found = stated ?? sameTitle[0]
    const key = found?.id ?? itemKey(item.type, item.title)
    const twin = twinProblem(each, firstRows.get(key))
    const matches = matchAudio(item, files)
    for (const { file } of matches) used.add(file.fileName)
    const warnings = [...admitted.warnings, ...matches.flatMap(({ file }) => warningsOfFile(file))]
    const missing = audio.length > 0 ? missingAudio(each, matches, found) : []
    const wrong = [
      ...each.problems,
      ...missing,
      ...missingTime(each, found),
      ...(sameTitle.length > 1 && !stated ? [unclearItem(each, sameTitle.length)] : []),
      ...(twin.problem ? [twin.problem] : []),
    ]
    problems.push(...wrong)
    if (wrong.length > 0) return { ...planned, problems: wrong, verdict: 'problem' }
    if (twin.isRepeated) return { ...planned, verdict: 'same' }
    firstRows.set(key, each)
    const compared = comparison(item, found, matches)
    return {
      ...planned,
      admitted: { ...(writesText(compared) ? admitted : planned.admitted), warnings },
      ...compared,
    }
  }
  const rows: PlannedRow[] = []
  for (const each of decoded) {
    rows.push(planRow(each))
    await pause()
  }
  const unmatchedAudio = audio.map((file) => file.fileName).filter((name) => !used.has(name))
  return { rows, problems, unmatchedAudio, counts: countVerdicts(rows) }
}

/** The problem of a row whose title several items have: the row has to say which of them it is about. */
function unclearItem(source: DecodedRow, count: number): RowProblem {
  return problemAt(
    source,
    'title',
    `The library has “${source.item.title}” ${pluralize(count, 'time')}, and it is unclear which one is meant. Give one of them another title there, or import a file with the column ${columnName('id')} of an export.`,
  )
}

/** Warnings about a file, for the row that the file belongs to. */
function warningsOfFile({ fileName, warnings = [] }: CheckedAudio): string[] {
  return warnings.map((warning) => `${fileName}: ${warning}`)
}

function twinProblem(
  source: DecodedRow,
  first: DecodedRow | undefined,
): { problem?: RowProblem; isRepeated: boolean } {
  if (!first) return { isRepeated: false }
  const { item } = source
  if (first.item.content === item.content && first.item.description === item.description)
    return { isRepeated: true }
  return {
    isRepeated: false,
    problem: problemAt(
      source,
      'title',
      `"${item.title}" stands in ${placeWords({ row: first.row, sheet: first.sheet }).replace(/^./, (letter) => letter.toLowerCase())} already, with a different text. Give one of them another title.`,
    ),
  }
}

/**
 * The problems of files that a row names and that are not among the given audio files, unless the item already has that
 * voice.
 */
function missingAudio(
  source: DecodedRow,
  matches: readonly AudioMatch<CheckedAudio>[],
  existing: ExistingItem | undefined,
): RowProblem[] {
  return voices.flatMap((voice) => {
    const named = source.item.linkedAudio[voice]
    if (!named || existing?.audio[voice] || matches.some((match) => match.voice === voice)) return []
    const message = `No file named ${named.slice(0, 100)}. Add it, or clear the cell.`
    const { column } = problemAt(
      source,
      voice === 'female' ? 'linkedAudioFemale' : 'linkedAudioMale',
      message,
    )
    return [{ ...problemAt(source, 'row', message), field: 'audio', ...(column && { column }) }]
  })
}

/** The problem of a scheduled row without a time, unless the item has a future time or is already published. */
function missingTime(source: DecodedRow, existing: ExistingItem | undefined): RowProblem[] {
  const { status, publishedAt } = source.item
  if (status !== 'scheduled' || publishedAt) return []
  if (existing && (existing.status === 'published' || existing.publishedAt > new Date())) return []
  const message =
    'A scheduled item needs its time. Write it under Published At, such as 2026-11-27 20:00, in UTC.'
  return [problemAt(source, 'publishedAt', message)]
}

function comparison(
  item: ImportItem,
  existing: ExistingItem | undefined,
  matches: readonly AudioMatch<CheckedAudio>[],
) {
  const audio = matches.map(({ voice, file }) => ({
    voice,
    file,
    isNew: existing?.audio[voice] !== file.hash,
  }))
  if (!existing) return { verdict: 'create' as const, existingId: null, changes: [], audio }
  const changes = changesOf(item, existing)
  const isSame = changes.length === 0 && audio.every((each) => !each.isNew)
  return {
    verdict: isSame ? ('same' as const) : ('update' as const),
    existingId: existing.id,
    changes,
    audio,
  }
}

/** Whether a row writes a text that the guidelines judge. */
function writesText({ verdict, changes }: Pick<PlannedRow, 'verdict' | 'changes'>): boolean {
  return verdict === 'create' || changes.some(({ field }) => isJudged.has(field))
}

function countVerdicts(rows: readonly PlannedRow[]): Plan['counts'] {
  const counts = { create: 0, update: 0, same: 0, problem: 0, empty: 0, matchedAudio: 0 }
  for (const row of rows) {
    counts[row.verdict] += 1
    if (row.verdict !== 'problem') counts.matchedAudio += row.audio.length
  }
  return counts
}
