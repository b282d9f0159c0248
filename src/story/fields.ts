import * as t from 'typebox'
import { narrators } from '#src/narration/rules'
import { oneOf } from '#src/shape/one-of'
import { orNull } from '#src/shape/or-null'
import { columnOf, keysOf } from '#src/shape/pick'
import {
  categories,
  contentCharactersMax,
  descriptionCharactersMax,
  excerptFieldCharactersMax,
  itemTypes,
  premiumMinutes,
  sentCharactersMax,
  statuses,
  tagCharactersMax,
  tagsMax,
  titleCharactersMax,
  voices,
} from './rules'

/**
 * The properties common to all fields of a kind: how a field is stored, entered in a form or an option, and written
 * into a cell. An `own` field has its own code in those places.
 */
export type FieldKind = 'line' | 'text' | 'list' | 'tags' | 'yesNo' | 'minutes' | 'own'

export type FieldDefinition = {
  kind: FieldKind
  /** Maximum length of a stored line or text. */
  charactersMax?: number
  /** Schema of the API's input. */
  given: t.TSchema
  /** Schema of the API's output. */
  shown: t.TSchema
  /** The field's name in forms and lists. */
  label: string
  /** The field's name in a sentence, unless it is `the` and the field's name: "Changes the text". */
  words?: string
  /** Shown in the form for a new item. */
  placeholder?: string
  /** For a yesNo: the words for a cell. */
  yesNoWords?: string
  /** Shown in the form for a new item. For a yesNo, its meaning. */
  hint?: string
  /**
   * The names of the field's column. Our own sheets use the first. Names are compared without case, spaces and
   * punctuation.
   */
  columns: readonly [string, ...string[]]
  /** The field's option on the command line. `values` if it takes one of a list. */
  option?: { name: string; words: string; values?: readonly string[] }
  /** Whether the guidelines judge the field. */
  isJudged?: true
}

const line = (charactersMax: number) =>
  ({
    kind: 'line',
    charactersMax,
    given: t.String({ maxLength: charactersMax }),
    shown: t.String(),
  }) as const
const text = (charactersMax: number) => ({ ...line(charactersMax), kind: 'text' }) as const
const tag = t.String({ maxLength: tagCharactersMax })

/** Whole minutes in a range, which differs from form to form. */
export const minutesOf = ({ min, max }: { min: number; max: number }) =>
  t.Integer({
    minimum: min,
    maximum: max,
    error: `Expected whole minutes from ${min} to ${max}`,
    examples: [15],
  })

/** `female`, `male`, or a narrator's name. */
const namedVoice = t.String({
  minLength: 1,
  maxLength: 40,
  examples: ['female'],
  description: "female, male, or a narrator's name",
})

/**
 * Every input field of an item, defined once. The table's columns, the API's schemas, the types of drafts and edits,
 * the forms, the command line, imports, exports and undo are generated from this table. A new line, list or yesNo is
 * one entry here and a migration (`bun run migration`); fields.test.ts tests it everywhere. The order is that of API
 * calls and of an undo's sentences; sheets have their own (src/import/rules.ts).
 */
export const itemFields = {
  title: {
    ...line(titleCharactersMax),
    given: t.String({
      minLength: 1,
      maxLength: titleCharactersMax,
      pattern: '\\S',
      examples: ['The Night Ferry'],
    }),
    label: 'Title',
    columns: ['Name', 'Title'],
    isJudged: true,
  },
  content: {
    ...text(contentCharactersMax),
    given: t.String({
      minLength: 1,
      maxLength: sentCharactersMax,
      pattern: '\\S',
      examples: ['The last boat left at ten…'],
    }),
    label: 'Content',
    words: 'the text',
    columns: ['Text', 'Content', 'Story'],
    isJudged: true,
  },
  type: {
    kind: 'own',
    given: oneOf(itemTypes),
    shown: oneOf(itemTypes),
    label: 'Type',
    columns: ['Type'],
  },
  description: {
    ...text(descriptionCharactersMax),
    label: 'Description',
    columns: ['Short Description', 'Description'],
    option: { name: 'description', words: 'A sentence or two about it' },
    isJudged: true,
  },
  excerpt: {
    ...text(excerptFieldCharactersMax),
    label: 'Excerpt',
    hint: 'Left empty, it is the beginning of the text.',
    columns: ['Excerpt'],
    option: { name: 'excerpt', words: 'Where none is given, the beginning of the text' },
    isJudged: true,
  },
  categories: {
    kind: 'list',
    given: t.Array(oneOf(categories), { maxItems: categories.length, examples: [['romantic']] }),
    shown: t.Array(t.String()),
    label: 'Categories',
    columns: ['Categories', 'Category'],
    option: { name: 'categories', words: `With commas between: ${categories.join(', ')}` },
    isJudged: true,
  },
  tags: {
    kind: 'tags',
    // Also accepts text with commas, which forms and options send as typed.
    given: t.Union(
      [t.Array(tag, { maxItems: tagsMax }), t.String({ maxLength: tagsMax * tagCharactersMax })],
      {
        examples: [['sea', 'strangers']],
      },
    ),
    shown: t.Array(t.String()),
    label: 'Tags',
    placeholder: 'tram, hills, rain',
    columns: ['Tags', 'Tag'],
    option: { name: 'tags', words: 'With commas between' },
    isJudged: true,
  },
  contentNotes: {
    kind: 'list',
    given: t.Array(t.String({ maxLength: 200 }), { maxItems: tagsMax }),
    shown: t.Array(t.String()),
    label: 'Content notes',
    words: 'the content notes',
    placeholder: 'grief, strong language',
    hint: 'What a story touches, not what happens.',
    columns: ['Content Notes'],
    option: { name: 'notes', words: 'Content notes, with commas between' },
  },
  voice: {
    kind: 'own',
    given: namedVoice,
    shown: oneOf(voices),
    label: 'Voice',
    columns: ['Voice'],
    option: {
      name: 'voice',
      words: `female, male or a narrator: ${narrators.join(', ')}`,
      values: [...voices, ...narrators],
    },
  },
  // The API accepts a narrator's name as the voice.
  narratorFemale: {
    kind: 'own',
    given: t.Never(),
    shown: orNull(t.String()),
    label: 'Female narrator',
    words: 'the narrator',
    columns: ['Narrator Female'],
  },
  narratorMale: {
    kind: 'own',
    given: t.Never(),
    shown: orNull(t.String()),
    label: 'Male narrator',
    words: 'the narrator',
    columns: ['Narrator Male'],
  },
  duration: {
    kind: 'minutes',
    given: minutesOf(premiumMinutes),
    shown: t.Integer({ description: 'Minutes.' }),
    label: 'Duration (minutes)',
    words: 'the length',
    columns: ['Audio Length', 'Audio Length (minutes)', 'Duration', 'Length'],
    option: { name: 'duration', words: 'Minutes' },
  },
  isFree: {
    kind: 'yesNo',
    given: t.Boolean({ description: 'A free sample: visitors may hear it.' }),
    shown: t.Boolean(),
    label: 'Free sample',
    words: 'the free mark',
    yesNoWords: 'Write yes where visitors may hear it, or no.',
    hint: 'Visitors may hear it without an account.',
    columns: ['Free', 'Is Free', 'Free Sample'],
    option: { name: 'free', words: 'A free sample: visitors may hear it (--no-free takes it back)' },
  },
  publishedAt: {
    kind: 'own',
    given: t.String({
      maxLength: 40,
      description:
        'ISO 8601 with its zone: when it appears. A time to come without a status schedules a new or published item.',
    }),
    shown: t.String({ description: 'ISO 8601, UTC.' }),
    label: 'Appears',
    words: 'the time',
    hint: 'Left empty, it appears at once.',
    columns: ['Published At', 'Appears At'],
  },
  status: {
    kind: 'own',
    given: oneOf(['draft', 'scheduled', 'published']),
    shown: oneOf(statuses),
    label: 'Visible',
    columns: ['Status'],
  },
} as const satisfies Record<string, FieldDefinition>

export type ItemField = keyof typeof itemFields
export const itemFieldNames = keysOf(itemFields)

/** The public fields. The status is only for operators. */
export const publicFields = itemFieldNames.filter((field) => field !== 'status')

/** The schemas of each field's input and output. */
export const givenSchemas = columnOf(itemFields, 'given')
export const shownSchemas = columnOf(itemFields, 'shown')

const Shown = t.Object(shownSchemas)
/** The fields of an item as the API returns them. */
export type ShownFields = t.Static<typeof Shown>

type KindOf<F extends ItemField> = (typeof itemFields)[F]['kind']
/** The fields of a kind: `FieldOf<'list'>` is `'categories' | 'contentNotes'`. */
export type FieldOf<K extends FieldKind> = { [F in ItemField]: KindOf<F> extends K ? F : never }[ItemField]

const isOf =
  <K extends FieldKind>(...kinds: readonly K[]) =>
  (field: ItemField): field is FieldOf<K> =>
    kinds.some((kind) => kind === itemFields[field].kind)

export const lineFields = itemFieldNames.filter(isOf('line'))
export const textFields = itemFieldNames.filter(isOf('text'))
export const listFields = itemFieldNames.filter(isOf('list', 'tags'))
export const yesNoFields = itemFieldNames.filter(isOf('yesNo'))

export function definitionOf(field: ItemField): FieldDefinition {
  return itemFields[field]
}

/** A field's name in a sentence: "the text", "the title". */
export function fieldWords(field: string): string {
  const isField = (name: string): name is ItemField => name in itemFields
  return (isField(field) && definitionOf(field).words) || `the ${field}`
}
