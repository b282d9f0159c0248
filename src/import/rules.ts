/** Numbers, formats and column names of imports. Browser-safe. */

export const importFormats = ['paste', 'csv', 'json', 'workbook'] as const
export type ImportFormat = (typeof importFormats)[number]

/** More rows than this are more than one evening's upload; cut the file. */
export const rowsMax = 20_000
/** A row with thousands of columns is not a table of stories. */
export const columnsMax = 200
export const cellCharactersMax = 1_000_000
export const sheetBytesMax = 100 * 1024 * 1024
export const audioFilesMax = 500

/** An import that is being put together is kept so long after its last change. */
export const draftKeptDays = 7
/** More than these at once are a mistake; the older ones can be thrown away. */
export const draftsOpenMax = 20
/** Of all files of one draft together: an evening's audio is a tenth of it. */
export const draftBytesMax = 50 * 1024 * 1024 * 1024

/** What a workbook may unpack to (security.md: a 462 KB file took 999 MB and 12.9 s). */
export const workbookInflatedBytesMax = 50 * 1024 * 1024
export const workbookEntriesMax = 200
export const workbookRatioMax = 100
export const workbookParseSecondsMax = 30

/** Problems beyond this many are counted, not listed. */
export const problemsListedMax = 500

/**
 * Every field of a row. The first name is the one that sheets of ours give to its column (operator.md §5), the
 * others it has elsewhere; they are compared without case, spaces and signs.
 */
const columns = {
  title: ['Name', 'Title'],
  type: ['Type'],
  voice: ['Voice'],
  categories: ['Categories', 'Category'],
  tags: ['Tags', 'Tag'],
  description: ['Short Description', 'Description'],
  excerpt: ['Excerpt'],
  content: ['Text', 'Content', 'Story'],
  duration: ['Audio Length', 'Audio Length (minutes)', 'Duration', 'Length'],
  contentNotes: ['Content Notes'],
  narratorFemale: ['Narrator Female'],
  narratorMale: ['Narrator Male'],
  status: ['Status'],
  isFree: ['Free', 'Is Free', 'Free Sample'],
  publishedAt: ['Published At', 'Appears At'],
  generateAudio: ['Generate Audio'],
  linkedAudioFemale: ['Linked Audio Female', 'Linked Audio', 'Audio Female', 'Audio File', 'Audio'],
  linkedAudioMale: ['Linked Audio Male', 'Audio Male'],
} as const satisfies Record<string, readonly [string, ...string[]]>

export type Field = keyof typeof columns
export const fields = Object.keys(columns) as Field[]

/** What asks for audio, and is nothing that an item has. */
const audioFields = ['generateAudio', 'linkedAudioFemale', 'linkedAudioMale'] as const
export type ItemField = Exclude<Field, (typeof audioFields)[number]>
/** What an operator gives to an item: an export writes these, and an import brings them back. */
export const itemFields = fields.filter(
  (field): field is ItemField => !audioFields.some((each) => each === field),
)

/** What stands for an empty list of categories: a cell that says nothing gets the default (operator.md §5). */
export const noCategories = 'none'

/** The columns of an export that an import takes no notice of, but knows the file by. */
export const exportMarks = ['Slug', 'Id'] as const

/** The name that sheets of ours give to a field's column. */
export function columnName(field: Field): string {
  return columns[field][0]
}

const fieldOfName = new Map(
  fields.flatMap((field) => columns[field].map((name) => [plainName(name), field] as const)),
)

/** The field that a column's name stands for, or null for a column of no concern. */
export function fieldOfColumn(name: string): Field | null {
  return fieldOfName.get(plainName(name)) ?? null
}

function plainName(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '')
}
