import { keysOf } from '#src/shape/pick'
import { definitionOf, type ItemField, itemFieldNames, itemFields } from '#src/story/fields'
import { nearOnes } from '#src/text/near-ones'

/** Numbers, formats and column names of imports. Browser-safe. */

export const importFormats = ['paste', 'csv', 'json', 'workbook'] as const
export type ImportFormat = (typeof importFormats)[number]

/** An evening's upload has some hundred rows. A larger file has to be split. */
export const rowsMax = 20_000
/** A row with thousands of columns is not a table of stories. */
export const columnsMax = 200
/** A story has at most a million characters; its other cells are short. */
export const rowCharactersMax = 2_000_000
export const sheetBytesMax = 100 * 1024 * 1024
/** A text file is as large as its content, so no unpacking limit applies. */
export const textSheetBytesMax = 64 * 1024 * 1024
export const audioFilesMax = 500

/** A sheet beside others that has no column Name or Text and more rows than this holds data of another kind. */
export const strangeRowsMax = 2_000
/** Stands for the value of a formula that no program has calculated, in the style of Excel's own errors. */
export const neverCalculated = '#CALC!'

/** Days for which a draft is retained after its last change. */
export const draftRetentionDays = 7
/** More open drafts are a mistake. The older ones can be discarded. */
export const draftsOpenMax = 20
/** Bytes of all files of one draft together. An evening's audio is a tenth of this. */
export const draftBytesMax = 50 * 1024 * 1024 * 1024

/** Unpacked size of a workbook. Its parts are streamed; its shared strings are held in memory. */
export const workbookInflatedBytesMax = 50 * 1024 * 1024
export const workbookEntriesMax = 200
export const workbookRatioMax = 100

/** A valid sheet of 20,000 rows takes 3 s on a slow machine. */
export const readerSecondsMax = 30
/** Bytes of a sheet's rows in the server's memory. A shared string counts as often as it is used. */
export const readerOutputBytesMax = 64 * 1024 * 1024
/**
 * Private memory that the kernel grants to the process that reads a sheet (RLIMIT_DATA). The engine reserves 170 MB of
 * it without using it. Beyond that, a valid sheet of 20,000 rows with 41 MB of text was measured to need 130 MB as
 * .xlsx and 190 MB as CSV, server included.
 */
export const readerDataBytesMax = 400 * 1024 * 1024
/** Resident memory, code included: the limit on systems without RLIMIT_DATA. */
export const readerResidentBytesMax = 260 * 1024 * 1024
/** Reading processes at once; others wait. */
export const readersMax = 2

/** Problems beyond this many are counted, not listed. */
export const problemsListedMax = 500

/** Columns that request audio. They are no fields of an item. */
const audioColumns = {
  generateAudio: ['Generate Audio'],
  linkedAudioFemale: ['Linked Audio Female', 'Linked Audio', 'Audio Female', 'Audio File', 'Audio'],
  linkedAudioMale: ['Linked Audio Male', 'Audio Male'],
} as const
type AudioField = keyof typeof audioColumns
const audioFields = keysOf(audioColumns)

/** The first columns of sheets, in the order that sheets in use have. Other fields follow. */
const columnsInFront: ItemField[] = [
  'title',
  'type',
  'voice',
  'categories',
  'tags',
  'description',
  'excerpt',
  'content',
  'duration',
  'contentNotes',
  'narratorFemale',
  'narratorMale',
  'status',
  'isFree',
  'publishedAt',
]
/** The fields of an item in the order of a sheet's columns: written by exports, read by imports. */
export const sheetFields = [...new Set([...columnsInFront, ...itemFieldNames])]

/** The column of an export that says which item of the library is meant if several have the row's title. */
const idColumns = ['Id'] as const

/** Every field of a row. */
export type Field = ItemField | AudioField | 'id'
export const fields: readonly Field[] = [...sheetFields, ...audioFields]
/** The fields that a column may be assigned to. The ids in a sheet from elsewhere match no item and have no effect. */
export const columnFields: readonly Field[] = [...fields, 'id']

/** Stands for an empty list of categories, since an empty cell gets the default. */
export const noCategories = 'none'

/** The last columns of an export, by which the file is recognised. */
export const exportMarks = ['Slug', ...idColumns] as const

/** The name of a field's column in our own sheets. */
export function columnName(field: Field): string {
  return namesOf(field)[0]
}

function namesOf(field: Field): readonly [string, ...string[]] {
  if (field === 'id') return idColumns
  return isAudioField(field) ? audioColumns[field] : itemFields[field].columns
}

function isAudioField(field: Field): field is AudioField {
  return field in audioColumns
}

const fieldOfName = new Map(
  columnFields.flatMap((field) => namesOf(field).map((name) => [plainName(name), field] as const)),
)

/** The fields that have a column with a similar name: "Titel" resembles a title. */
export function fieldsNear(name: string): Field[] {
  const plain = plainName(name)
  if (plain.length < 3) return []
  const near = nearOnes(plain, [...fieldOfName.keys()])
  return [...new Set(near.flatMap((each) => fieldOfName.get(each) ?? []))].filter((field) => field !== 'id')
}

/** The field that a column name means; null for an ignored column. */
export function fieldOfColumn(name: string): Field | null {
  return fieldOfName.get(plainName(name)) ?? null
}

function plainName(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '')
}

/** The fields that the guidelines judge. */
export const isJudged: ReadonlySet<string> = new Set(
  itemFieldNames.filter((field) => definitionOf(field).isJudged),
)

const batchKindNames: Record<string, string> = {
  paste: 'pasted rows',
  bulk: 'pasted rows',
  items: 'a list of items',
}

/** The name of an import: its file name, otherwise a name for its kind. */
export function batchName({ fileName, kind }: { fileName: string | null; kind: string }): string {
  return fileName ?? batchKindNames[kind] ?? kind
}
