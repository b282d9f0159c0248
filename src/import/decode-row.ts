import { narrators, narratorsOf, voiceOfNarrator } from '#src/narration/rules'
import {
  categories as allCategories,
  contentCharactersMax,
  descriptionCharactersMax,
  durationMinutesDefault,
  durationMinutesMax,
  excerptFieldCharactersMax,
  type ItemType,
  itemTypes,
  tagCharactersMax,
  tagsMax,
  titleCharactersMax,
  type Voice,
  voices,
} from '#src/story/rules'
import { tidyLine } from '#src/story/tidy-text'
import { readYesNo, splitList, textOf } from './cell'
import { type Appearance, readAppearance } from './read-appearance'
import type { SourceRow } from './read-rows'
import { type Field, fields, noCategories } from './rules'

/** What is wrong with one field of one row, and how to mend it. */
export type RowProblem = { row: number; field: Field | 'audio' | 'row'; message: string }

export type ImportItem = Appearance & {
  title: string
  type: ItemType
  voice: Voice
  narratorFemale: string | null
  narratorMale: string | null
  categories: string[]
  tags: string[]
  contentNotes: string[]
  description: string
  excerpt: string
  content: string
  /** Minutes; null where the row says nothing. */
  duration: number | null
  generateAudio: boolean
  linkedAudio: Partial<Record<Voice, string>>
  /** The fields that the row says something about: only these change an item that is there already. */
  stated: ReadonlySet<Field>
}

/**
 * One row as an item, with the defaults of operator.md §5 for what it leaves out, and every problem of it.
 * An empty row (`isEmpty`) is no problem: it is left out.
 */
export function decodeRow({ row, cells }: SourceRow): {
  item: ImportItem
  problems: RowProblem[]
  isEmpty: boolean
} {
  const problems: RowProblem[] = []
  const problem = (field: RowProblem['field'], message: string) => problems.push({ row, field, message })
  const text = (field: Field, charactersMax: number) => {
    const value = textOf(cells[field])
    if (value.length > charactersMax)
      problem(
        field,
        `${value.length.toLocaleString('en')} characters; ${charactersMax.toLocaleString('en')} is the most. Shorten it.`,
      )
    return value
  }

  const { voice, ...named } = readVoice(textOf(cells.voice), (message) => problem('voice', message))
  const narrator = (field: 'narratorFemale' | 'narratorMale', of: Voice) =>
    readNarrator(textOf(cells[field]), of, (message) => problem(field, message)) ?? named[field] ?? null
  const item: ImportItem = {
    title: tidyLine(text('title', titleCharactersMax)) || 'Untitled',
    type: readType(textOf(cells.type), (message) => problem('type', message)),
    voice,
    narratorFemale: narrator('narratorFemale', 'female'),
    narratorMale: narrator('narratorMale', 'male'),
    categories: readCategories(listOf(cells.categories), (message) => problem('categories', message)),
    tags: readTags(listOf(cells.tags), (message) => problem('tags', message)),
    contentNotes: listOf(cells.contentNotes).slice(0, tagsMax),
    description: text('description', descriptionCharactersMax),
    excerpt: text('excerpt', excerptFieldCharactersMax),
    content: text('content', contentCharactersMax),
    duration: readDuration(textOf(cells.duration), (message) => problem('duration', message)),
    ...readAppearance(cells, problem),
    generateAudio: readYesNo(textOf(cells.generateAudio)) !== false,
    linkedAudio: readLinkedAudio(cells),
    stated: new Set(fields.filter((field) => textOf(cells[field]) !== '')),
  }
  const isEmpty = Object.values(cells).every((cell) => textOf(cell) === '')
  if (!item.content && !isEmpty)
    problem('content', 'There is no text. Write the story, or leave the row out.')
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

/** Whole minutes; a value that is no number falls back to 15, as the forms do (operator.md §5). */
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

function readLinkedAudio(cells: SourceRow['cells']): ImportItem['linkedAudio'] {
  const female = textOf(cells.linkedAudioFemale)
  const male = textOf(cells.linkedAudioMale)
  return { ...(female && { female }), ...(male && { male }) }
}
