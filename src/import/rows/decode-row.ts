import { type Appearance, appearanceOf, readAppears, readStatus } from '#src/import/rows/read-appearance'
import { type Field, fields, noCategories } from '#src/import/rules'
import { narrators, narratorsOf, voiceOfNarrator } from '#src/narration/rules'
import { recordOf } from '#src/shape/pick'
import {
  type FieldOf,
  itemFields,
  lineFields,
  listFields,
  type ShownFields,
  textFields,
  yesNoFields,
} from '#src/story/fields'
import {
  categories as allCategories,
  durationMinutesDefault,
  durationMinutesMax,
  type ItemType,
  itemTypes,
  tagCharactersMax,
  tagsMax,
  type Voice,
  voices,
} from '#src/story/rules'
import { tidyLine } from '#src/text/tidy-text'
import { readYesNo, splitList, textOf } from './cell'
import type { SourceRow } from './read-rows'

/** A problem with one field of one row, and its fix. */
export type RowProblem = { row: number; field: Field | 'audio' | 'row'; message: string }

/**
 * The fields of a row with their defaults; null where the row states nothing and the existing value, or the table's
 * default, applies.
 */
export type ImportItem = Omit<ShownFields, FieldOf<'yesNo'> | keyof Appearance | 'duration'> &
  Record<FieldOf<'yesNo'>, boolean | null> &
  Appearance & {
    /** Minutes. */
    duration: number | null
    generateAudio: boolean
    linkedAudio: Partial<Record<Voice, string>>
    /** The fields that the row states: only these change an existing item. */
    stated: ReadonlySet<Field>
  }

/**
 * One row as an item, with the defaults for omitted fields, and all its problems. An empty row (`isEmpty`) is no
 * problem: it is skipped.
 */
export function decodeRow({ row, cells }: SourceRow): {
  item: ImportItem
  problems: RowProblem[]
  isEmpty: boolean
} {
  const problems: RowProblem[] = []
  const reporterOf = (field: Field) => (message: string) => {
    problems.push({ row, field, message })
  }
  const text = (field: FieldOf<'line' | 'text'>) => {
    const value = textOf(cells[field])
    const { charactersMax } = itemFields[field]
    if (value.length > charactersMax)
      reporterOf(field)(
        `${value.length.toLocaleString('en')} characters; ${charactersMax.toLocaleString('en')} is the most. Shorten it.`,
      )
    return value
  }

  const lines = recordOf(lineFields, (field) => tidyLine(text(field)))
  const type = readType(textOf(cells.type), reporterOf('type'))
  const { voice, ...named } = readVoice(textOf(cells.voice), reporterOf('voice'))
  const narrator = (field: 'narratorFemale' | 'narratorMale', of: Voice) =>
    readNarrator(textOf(cells[field]), of, reporterOf(field)) ?? named[field] ?? null
  const item: ImportItem = {
    ...lines,
    title: lines.title || 'Untitled',
    type,
    voice,
    narratorFemale: narrator('narratorFemale', 'female'),
    narratorMale: narrator('narratorMale', 'male'),
    ...recordOf(listFields, (field) => listOf(cells[field]).slice(0, tagsMax)),
    categories: readCategories(listOf(cells.categories), reporterOf('categories')),
    tags: readTags(listOf(cells.tags), reporterOf('tags')),
    ...recordOf(textFields, text),
    duration: readDuration(textOf(cells.duration), reporterOf('duration')),
    ...decodeStatus(cells, reporterOf),
    generateAudio: readYesNo(textOf(cells.generateAudio)) !== false,
    linkedAudio: readLinkedAudio(cells),
    // A narrator may be named as the voice.
    stated: new Set(fields.filter((field) => textOf(cells[field]) !== '' || field in named)),
  }
  const isEmpty = Object.values(cells).every((cell) => textOf(cell) === '')
  if (!item.content && !isEmpty)
    reporterOf('content')('There is no text. Write the story, or leave the row out.')
  return { item, problems: isEmpty ? [] : problems, isEmpty }
}

function listOf(cell: unknown): string[] {
  const parts = Array.isArray(cell) ? cell.map(textOf) : splitList(textOf(cell))
  return [...new Set(parts.map(tidyLine).filter(Boolean))]
}

function readType(value: string, problem: (message: string) => void): ItemType {
  const type = itemTypes.find((each) => each === value.toLowerCase())
  if (value && !type) problem(`"${value.slice(0, 40)}" is no type. Write story or flow.`)
  return type ?? 'story'
}

function readVoice(
  value: string,
  problem: (message: string) => void,
): { voice: Voice; narratorFemale?: string; narratorMale?: string } {
  const name = value.toLowerCase()
  const voice = voices.find((each) => each === name)
  if (voice || !value) return { voice: voice ?? 'female' }
  const narrator = narrators.find((each) => each === name)
  if (!narrator) {
    problem(`"${value.slice(0, 40)}" is no voice. Write female, male, or a narrator's name such as rachel.`)
    return { voice: 'female' }
  }
  return voiceOfNarrator(narrator) === 'female'
    ? { voice: 'female', narratorFemale: narrator }
    : { voice: 'male', narratorMale: narrator }
}

function readNarrator(value: string, voice: Voice, problem: (message: string) => void): string | null {
  const known = narratorsOf(voice)
  const narrator = known.find((each) => each === value.toLowerCase())
  if (value && !narrator)
    problem(`"${value.slice(0, 40)}" is no ${voice} narrator. Write one of ${known.join(', ')}.`)
  return narrator ?? null
}

function readCategories(values: string[], problem: (message: string) => void): string[] {
  if (values.length === 0) return ['romantic']
  if (values.length === 1 && values[0]?.toLowerCase() === noCategories) return []
  const known = values.map((value) => ({
    value,
    category: allCategories.find((each) => each === value.toLowerCase()),
  }))
  const unknown = known.filter(({ category }) => !category).map(({ value }) => `"${value.slice(0, 40)}"`)
  if (unknown.length > 0)
    problem(
      `${unknown.slice(0, 5).join(', ')} ${unknown.length === 1 ? 'is no category' : 'are no categories'}. Use ${allCategories.join(', ')}.`,
    )
  return [...new Set(known.flatMap(({ category }) => category ?? []))]
}

function readTags(values: string[], problem: (message: string) => void): string[] {
  if (values.length > tagsMax) problem(`${values.length} tags; ${tagsMax} is the most.`)
  const long = values.find((value) => value.length > tagCharactersMax)
  if (long)
    problem(
      `"${long.slice(0, 40)}…" is longer than ${tagCharactersMax} characters. Tags are apart by commas.`,
    )
  return values
}

/** Whole minutes; a value that is no number falls back to 15, as the forms do. */
function readDuration(value: string, problem: (message: string) => void): number | null {
  if (!value) return null
  const minutes = Number(value.replace(',', '.').replace(/\s*(min|minutes|m)\.?$/i, ''))
  if (Number.isNaN(minutes)) return durationMinutesDefault
  if (minutes <= 0 || minutes > durationMinutesMax) {
    problem(`${value.slice(0, 20)} is no length in minutes. Write a number from 1 to ${durationMinutesMax}.`)
    return null
  }
  return Math.max(1, Math.round(minutes))
}

/** The item's status and publication date. */
function decodeStatus(cells: SourceRow['cells'], reporterOf: (field: Field) => (message: string) => void) {
  const status = readStatus(textOf(cells.status), reporterOf('status'))
  const yesNo = recordOf(yesNoFields, (field) => {
    const value = textOf(cells[field])
    const answer = readYesNo(value)
    if (value && answer === null)
      reporterOf(field)(`"${value.slice(0, 40)}" is neither yes nor no. ${itemFields[field].yesNoWords}`)
    return answer
  })
  const publishedAt = readAppears(cells.publishedAt, reporterOf('publishedAt'))
  return { ...yesNo, ...appearanceOf({ status, publishedAt }) }
}

function readLinkedAudio(cells: SourceRow['cells']): ImportItem['linkedAudio'] {
  const female = textOf(cells.linkedAudioFemale)
  const male = textOf(cells.linkedAudioMale)
  return { ...(female && { female }), ...(male && { male }) }
}
