import { type ItemField, itemFieldNames } from '#src/story/fields'

/** Fields and verdicts of an undo. Browser-safe. */

/**
 * The fields of an item that an import writes and an undo compares one by one. The type is not among them: an item of
 * another type is another item.
 */
export type UndoField = Exclude<ItemField, 'type'> | 'audioFemale' | 'audioMale'
export const undoFields: readonly UndoField[] = [
  ...itemFieldNames.filter((field) => field !== 'type'),
  'audioFemale',
  'audioMale',
]

export function isUndoField(name: string): name is UndoField {
  return undoFields.some((field) => field === name)
}

/**
 * The outcome for an item: moved to the bin, restored, left as it is, or `gone` if it was already deleted or in the
 * bin.
 */
export const undoVerdicts = ['remove', 'restore', 'keep', 'gone'] as const
export type UndoVerdict = (typeof undoVerdicts)[number]

/** The treatment of items that were edited since the import. */
export const editedChoices = ['keep', 'remove'] as const
export type EditedChoice = (typeof editedChoices)[number]

/** Most items listed in an answer, edited ones first. The others are only counted. */
export const undoItemsListedMax = 200

/**
 * A field's value for comparison. A text is its SHA-256, followed by `+` and a hash if it has an operator's script;
 * audio likewise if its timings are from a file.
 */
export type FieldValue = string | number | boolean | readonly string[] | null

/** The values that an import wrote into an item, by field. `job:ID` stands for a requested narration. */
export type Written = Partial<Record<UndoField, FieldValue>>
