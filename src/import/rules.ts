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

export const fields = [
  'title',
  'type',
  'voice',
  'categories',
  'tags',
  'description',
  'excerpt',
  'content',
  'duration',
  'generateAudio',
  'contentNotes',
  'linkedAudioFemale',
  'linkedAudioMale',
] as const
export type Field = (typeof fields)[number]

/** Column names as the specification and its files write them, compared without case, spaces and signs. */
const aliases: Record<Field, readonly string[]> = {
  title: ['title', 'name'],
  type: ['type'],
  voice: ['voice'],
  categories: ['categories', 'category'],
  tags: ['tags', 'tag'],
  description: ['description', 'short description'],
  excerpt: ['excerpt'],
  content: ['content', 'story', 'text'],
  duration: ['duration', 'audio length', 'audio length (minutes)', 'length'],
  generateAudio: ['generate audio', 'generateAudio'],
  contentNotes: ['content notes', 'contentNotes'],
  linkedAudioFemale: [
    'linked audio female',
    'linkedAudioFemale',
    'linked audio',
    'audio female',
    'audio file',
    'audio',
  ],
  linkedAudioMale: ['linked audio male', 'linkedAudioMale', 'audio male'],
}

/** The names that sheets of ours give to the columns (operator.md §5). */
export const columnNames: Record<Field, string> = {
  title: 'Name',
  type: 'Type',
  voice: 'Voice',
  categories: 'Categories',
  tags: 'Tags',
  description: 'Short Description',
  excerpt: 'Excerpt',
  content: 'Text',
  duration: 'Audio Length',
  generateAudio: 'Generate Audio',
  contentNotes: 'Content Notes',
  linkedAudioFemale: 'Linked Audio Female',
  linkedAudioMale: 'Linked Audio Male',
}

const fieldOfName = new Map(
  fields.flatMap((field) => aliases[field].map((alias) => [plainName(alias), field] as const)),
)

/** The field that a column's name stands for, or null for a column of no concern. */
export function fieldOfColumn(name: string): Field | null {
  return fieldOfName.get(plainName(name)) ?? null
}

function plainName(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '')
}
