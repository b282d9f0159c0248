import { type Appearance, appearanceOf, readAppears, readStatus } from '#src/import/rows/read-appearance'
import { columnName, type Field, fields, neverCalculated, noCategories } from '#src/import/rules'
import { narrators, narratorsOf, voiceOfNarrator } from '#src/narration/rules'
import { isId } from '#src/shape/id'
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
  type ItemType,
  itemTypes,
  tagCharactersMax,
  tagsMax,
  type Voice,
  voices,
} from '#src/story/rules'
import { didYouMean } from '#src/text/near-ones'
import { tidyLine } from '#src/text/tidy-text'
import { readYesNo, splitList, textOf } from './cell'
import type { SourceRow } from './choose-rows'
import { readMinutes } from './read-minutes'
import { problemAt, type RowProblem } from './row-problem'

/**
 * The fields of a row with their defaults. Null if the row states nothing: the existing value, or the table's default,
 * applies.
 */
export type ImportItem = Omit<ShownFields, FieldOf<'yesNo'> | keyof Appearance | 'duration'> &
  Record<FieldOf<'yesNo'>, boolean | null> &
  Appearance & {
    /** Minutes. */
    duration: number | null
    generateAudio: boolean
    linkedAudio: Partial<Record<Voice, string>>
    /** The id of the item that the row was exported from. Null if the row states none. */
    id: string | null
    /** The fields that the row states: only these change an existing item. */
    stated: ReadonlySet<Field>
  }

/** A row as an item. `warnings` name values that were interpreted as something else; `problems` prevent the import. */
export type RowDecoded = { item: ImportItem; problems: RowProblem[]; warnings: string[]; isEmpty: boolean }

/**
 * Decodes one row into an item, with the defaults for omitted fields, and collects all its problems. An empty row
 * (`isEmpty`) is no problem: it is skipped.
 */
export function decodeRow(source: SourceRow): RowDecoded {
  const broken = fields.filter((field) => formulaErrors.has(textOf(source.cells[field])))
  const cells = { ...source.cells, ...Object.fromEntries(broken.map((field) => [field, ''])) }
  const problems: RowProblem[] = []
  const warnings: string[] = []
  const reporterOf = (field: Field) => (message: string) => {
    problems.push(problemAt(source, field, message))
  }
  const text = (field: FieldOf<'line' | 'text'>) => {
    const value = textOf(cells[field])
    const { charactersMax } = itemFields[field]
    if (value.length > charactersMax)
      reporterOf(field)(
        `${value.length.toLocaleString('en')} characters; at most ${charactersMax.toLocaleString('en')} are allowed. Shorten it.`,
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
    duration: readMinutes(textOf(cells.duration), {
      problem: reporterOf('duration'),
      note: (message) =>
        void warnings.push(`${source.columns?.duration ?? columnName('duration')}: ${message}`),
    }),
    ...decodeStatus(cells, reporterOf),
    generateAudio: readYesNo(textOf(cells.generateAudio)) !== false,
    linkedAudio: readLinkedAudio(cells),
    id: isId(textOf(cells.id)) ? textOf(cells.id).toLowerCase() : null,
    // A narrator's name may be given as the voice.
    stated: new Set(fields.filter((field) => textOf(cells[field]) !== '' || field in named)),
  }
  const { id: _, ...written } = source.cells
  const isEmpty = Object.values(written).every((cell) => textOf(cell) === '')
  if (!item.content && !isEmpty && !broken.includes('content'))
    reporterOf('content')('There is no text. Write the story, or leave the row out.')
  const wrong = [...rowProblems(source, broken), ...problems]
  return { item, problems: isEmpty ? [] : wrong, warnings, isEmpty }
}

/** Problems that the spreadsheet itself states: the row is hidden, or its formulas have errors. */
function rowProblems(source: SourceRow, broken: readonly Field[]): RowProblem[] {
  const hidden = source.isHidden
    ? [problemAt(source, 'row', 'It is hidden in the sheet. Show it there, or import hidden rows too.')]
    : []
  const errors = broken.map((field) => {
    const code = textOf(source.cells[field])
    const what =
      code === neverCalculated
        ? 'Its formula was never calculated. Open the sheet in a spreadsheet program and save it'
        : `Its formula gives ${code}. Correct it in the sheet`
    return problemAt(source, field, `${what}, or write the value itself.`)
  })
  return [...hidden, ...errors]
}

/** Errors that spreadsheets show in place of a value (ECMA-376 part 1, 18.17.3). */
const formulaErrors = new Set([
  ...['#NULL!', '#DIV/0!', '#VALUE!', '#REF!', '#NAME?', '#NUM!', '#N/A', '#GETTING_DATA', '#SPILL!'],
  ...['#FIELD!', '#BLOCKED!', '#ERROR!', neverCalculated],
])

function listOf(cell: unknown): string[] {
  const parts = Array.isArray(cell) ? cell.map(textOf) : splitList(textOf(cell))
  return [...new Set(parts.map(tidyLine).filter(Boolean))]
}

function readType(value: string, problem: (message: string) => void): ItemType {
  const type = itemTypes.find((each) => each === value.toLowerCase())
  if (value && !type)
    problem(`"${value.slice(0, 40)}" is not a type.${didYouMean(value, itemTypes)} Write story or flow.`)
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
    problem(
      `"${value.slice(0, 40)}" is not a voice.${didYouMean(value, [...voices, ...narrators])} Write female, male, or a narrator's name such as rachel.`,
    )
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
    problem(
      `"${value.slice(0, 40)}" is not a ${voice} narrator.${didYouMean(value, known)} Write one of ${known.join(', ')}.`,
    )
  return narrator ?? null
}

function readCategories(values: string[], problem: (message: string) => void): string[] {
  if (values.length === 0) return ['romantic']
  if (values.length === 1 && values[0]?.toLowerCase() === noCategories) return []
  const known = values.map((value) => ({
    value,
    category: allCategories.find((each) => each === value.toLowerCase()),
  }))
  const unknown = known.filter(({ category }) => !category).map(({ value }) => value.slice(0, 40))
  if (unknown.length > 0) {
    const names = unknown.slice(0, 5).map((value) => `"${value}"`)
    const near = unknown.slice(0, 5).map((value) => didYouMean(value, allCategories))
    problem(
      `${names.join(', ')} ${unknown.length === 1 ? 'is not a category' : 'are not categories'}.${near.join('')} Use ${allCategories.join(', ')}.`,
    )
  }
  return [...new Set(known.flatMap(({ category }) => category ?? []))]
}

function readTags(values: string[], problem: (message: string) => void): string[] {
  if (values.length > tagsMax) problem(`${values.length} tags; at most ${tagsMax} are allowed.`)
  const long = values.find((value) => value.length > tagCharactersMax)
  if (long)
    problem(
      `"${long.slice(0, 40)}…" is longer than ${tagCharactersMax} characters. Separate tags with commas.`,
    )
  return values
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
