import type { HeardWord } from '#src/narration/read-heard-words'
import type { AudioExtension } from '#src/narration/rules'
import type { AdmittedText } from '#src/story/admit-text'
import { type ItemType, type Status, type Voice, voices } from '#src/story/rules'
import { titleKey } from '#src/story/title-key'
import type { ImportItem, RowProblem } from './decode-row'
import { type AudioMatch, groupByKey, matchAudio } from './match-audio'

/** A checked audio file that waits for its item. */
export type CheckedAudio = {
  fileName: string
  hash: string
  extension: AudioExtension
  durationSeconds: number
  sizeBytes: number
  /** What a file of timings beside it says. */
  heard?: readonly HeardWord[]
}

/** An item of the library that a row may be about. */
export type ExistingItem = {
  id: string
  type: ItemType
  title: string
  titleKey: string
  voice: Voice
  narratorFemale: string | null
  narratorMale: string | null
  categories: string[]
  tags: string[]
  contentNotes: string[]
  description: string
  excerpt: string
  content: string
  duration: number
  status: Status
  heldFrom: Status | null
  isFree: boolean
  publishedAt: Date
  /** The hash of the current narration in each voice. */
  audio: Partial<Record<Voice, string>>
}

export type Verdict = 'create' | 'update' | 'same' | 'problem' | 'empty'
export type FieldChange = { field: keyof ExistingItem; before: unknown; after: unknown }
export type PlannedAudio = { voice: Voice; file: CheckedAudio; isNew: boolean }
export type PlannedRow = {
  row: number
  title: string
  type: ItemType
  verdict: Verdict
  item: ImportItem
  admitted: DecodedRow['admitted']
  existingId: string | null
  changes: FieldChange[]
  audio: PlannedAudio[]
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

export type DecodedRow = {
  row: number
  item: ImportItem
  /** What the guidelines said of its text. */
  admitted: Pick<AdmittedText, 'warnings' | 'isHeld' | 'decisions'>
  problems: RowProblem[]
  isEmpty: boolean
}

/** The key under which a row and an item are the same: type and normalised title. */
export function itemKey(type: ItemType, title: string): string {
  return `${type}:${titleKey(title)}`
}

/**
 * What an import would do, row by row, without doing it: pure. `existing` holds the library's items by
 * `itemKey`. A row whose title stands twice in the file is a problem unless both rows are the same.
 */
export function planImport(
  decoded: readonly DecodedRow[],
  existing: ReadonlyMap<string, ExistingItem>,
  audio: readonly CheckedAudio[],
): Plan {
  const files = groupByKey(audio)
  const firstRows = new Map<string, DecodedRow>()
  const used = new Set<string>()
  const problems: RowProblem[] = []
  const rows = decoded.map((each): PlannedRow => {
    const { row, item, admitted, isEmpty } = each
    const planned = {
      row,
      title: item.title,
      type: item.type,
      item,
      admitted,
      existingId: null,
      changes: [],
      audio: [],
    }
    if (isEmpty) return { ...planned, verdict: 'empty' }
    const key = itemKey(item.type, item.title)
    const twin = twinProblem(each, firstRows.get(key))
    const matches = matchAudio(item, files)
    for (const { file } of matches) used.add(file.fileName)
    const missing = audio.length > 0 ? missingAudio(each, matches, existing.get(key)) : []
    const wrong = [
      ...each.problems,
      ...missing,
      ...missingTime(each, existing.get(key)),
      ...(twin.problem ? [twin.problem] : []),
    ]
    problems.push(...wrong)
    if (wrong.length > 0) return { ...planned, verdict: 'problem' }
    if (twin.isRepeated) return { ...planned, verdict: 'same' }
    firstRows.set(key, each)
    return { ...planned, ...comparison(item, existing.get(key), matches) }
  })
  const unmatchedAudio = audio.map((file) => file.fileName).filter((name) => !used.has(name))
  return { rows, problems, unmatchedAudio, counts: countVerdicts(rows) }
}

function twinProblem(
  { row, item }: DecodedRow,
  first: DecodedRow | undefined,
): { problem?: RowProblem; isRepeated: boolean } {
  if (!first) return { isRepeated: false }
  if (first.item.content === item.content && first.item.description === item.description)
    return { isRepeated: true }
  return {
    isRepeated: false,
    problem: {
      row,
      field: 'title',
      message: `"${item.title}" stands in row ${first.row} already, with another text. Give one of them another title.`,
    },
  }
}

/** Where audio came along, a file that a row names has to be among it, unless the item has that voice already. */
function missingAudio(
  { row, item }: DecodedRow,
  matches: readonly AudioMatch<CheckedAudio>[],
  existing: ExistingItem | undefined,
): RowProblem[] {
  return voices.flatMap((voice) => {
    const named = item.linkedAudio[voice]
    if (!named || existing?.audio[voice] || matches.some((match) => match.voice === voice)) return []
    const message = `No file named ${named.slice(0, 100)}. Add it, or clear the cell.`
    return [{ row, field: 'audio', message }]
  })
}

/** What is to appear at a time has to name it, unless the item has a time to come, or has appeared. */
function missingTime({ row, item }: DecodedRow, existing: ExistingItem | undefined): RowProblem[] {
  if (item.status !== 'scheduled' || item.publishedAt) return []
  if (existing && (existing.status === 'published' || existing.publishedAt > new Date())) return []
  const message =
    'A scheduled item needs its time. Write it under Published At, such as 2026-11-27 20:00, in UTC.'
  return [{ row, field: 'publishedAt', message }]
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

/** Only what the row states can change; an empty cell leaves what is there. */
function changesOf(item: ImportItem, existing: ExistingItem): FieldChange[] {
  const wanted: Partial<ExistingItem> = {
    ...(item.stated.has('title') && { title: item.title }),
    ...(item.stated.has('voice') && { voice: item.voice }),
    ...(item.narratorFemale !== null && { narratorFemale: item.narratorFemale }),
    ...(item.narratorMale !== null && { narratorMale: item.narratorMale }),
    ...(item.stated.has('categories') && { categories: item.categories }),
    ...(item.stated.has('tags') && { tags: item.tags }),
    ...(item.stated.has('contentNotes') && { contentNotes: item.contentNotes }),
    ...(item.stated.has('description') && { description: item.description }),
    ...(item.stated.has('excerpt') && { excerpt: item.excerpt }),
    ...(item.stated.has('content') && { content: item.content }),
    ...(item.duration !== null && { duration: item.duration }),
    ...(item.isFree !== null && { isFree: item.isFree }),
    ...appearanceOf(item, existing),
  }
  return Object.entries(wanted).flatMap(([name, after]) => {
    const field = name as keyof ExistingItem
    return isEqual(existing[field], after) ? [] : [{ field, before: existing[field], after }]
  })
}

/**
 * Where the item is to stand, by the rules of an edit. What is held stays so until an operator has looked: a
 * row says what becomes of it then. What is published before its time appears now.
 */
function appearanceOf({ status, publishedAt }: ImportItem, existing: ExistingItem): Partial<ExistingItem> {
  const time = publishedAt && { publishedAt }
  if (status === null || status === 'held') return { ...time }
  if (existing.status === 'held') return { heldFrom: status, ...time }
  const hasAppeared = existing.status === 'published'
  if (status === 'scheduled' && !publishedAt && hasAppeared) return {}
  const isEarly = status === 'published' && !hasAppeared && existing.publishedAt > new Date()
  return { status, ...(isEarly && { publishedAt: new Date() }), ...time }
}

function isEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

function countVerdicts(rows: readonly PlannedRow[]): Plan['counts'] {
  const counts = { create: 0, update: 0, same: 0, problem: 0, empty: 0, matchedAudio: 0 }
  for (const row of rows) {
    counts[row.verdict] += 1
    if (row.verdict !== 'problem') counts.matchedAudio += row.audio.length
  }
  return counts
}
