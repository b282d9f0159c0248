import { type ItemField, itemFieldNames } from '#src/story/fields'

/** The fields and words of an undo. Browser-safe. */

/**
 * The fields of an item that an import writes, and that an undo compares one by one. Another type is another item.
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
 * The outcome for an item: into the bin, restored, left as it is, or none, since it is deleted or in the bin already.
 */
export const undoVerdicts = ['remove', 'restore', 'keep', 'gone'] as const
export type UndoVerdict = (typeof undoVerdicts)[number]

/** The handling of items that were edited since. */
export const editedChoices = ['keep', 'remove'] as const
export type EditedChoice = (typeof editedChoices)[number]

/** Items beyond this many are counted in an answer, not listed: those edited since come first. */
export const undoItemsListedMax = 200

/** Texts as their SHA-256, with `+` and a hash of the operator's script or the file's timings over them. */
export type FieldValue = string | number | boolean | readonly string[] | null

/** The values that an import wrote into an item, by field. `job:ID` stands for a requested narration. */
export type Written = Partial<Record<UndoField, FieldValue>>
