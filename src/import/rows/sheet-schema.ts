import * as t from 'typebox'
import { columnsMax } from '#src/import/rules'
import { orNull } from '#src/shape/or-null'

/** Schemas of a sheet's content and of an operator's choices. Browser-safe. */

export const FoundColumn = t.Object({
  key: t.String({ description: 'Its letter; in JSON its name.', examples: ['C'] }),
  heading: t.String({ examples: ['Kategorie'] }),
  readAs: orNull(
    t.String({ description: 'Our column that it is read as; null if it is left out.', examples: [null] }),
  ),
  suggestion: orNull(
    t.String({ description: 'Our column that its heading resembles.', examples: ['Categories'] }),
  ),
})
export type FoundColumn = t.Static<typeof FoundColumn>

export const FoundSheet = t.Object({
  name: t.String({ description: 'Empty for a file that is no workbook.', examples: ['November'] }),
  isHidden: t.Boolean({ examples: [false] }),
  /** Without the heading row and the rows above it. */
  rowCount: t.Integer({ examples: [12] }),
  hiddenRows: t.Integer({ examples: [0] }),
  columns: t.Array(FoundColumn),
  notes: t.Array(t.String({ examples: ['Column D is hidden in the sheet. It is read anyway.'] })),
})
export type FoundSheet = t.Static<typeof FoundSheet>

/** The sheets of a file, with notes for the operator. */
export const SheetView = t.Object({
  sheets: t.Array(
    t.Object({ ...FoundSheet.properties, isChosen: t.Boolean({ description: 'Its rows are imported.' }) }),
    { description: 'The sheets of a workbook, with their columns as they are read.' },
  ),
  notes: t.Array(t.String({ examples: ['Column D “Titel” is unknown and left out. Did you mean Name?'] }), {
    description: 'What was left out of the file or interpreted.',
  }),
})

/** The sheets to import and the meaning of their columns. Anything not given stays as the reader found it. */
export const SheetChoices = t.Object({
  sheets: t.Optional(
    t.Array(t.String({ maxLength: 100 }), {
      maxItems: columnsMax,
      description: 'Names of sheets. Without it all that are not hidden and have a column Name or Text.',
    }),
  ),
  columns: t.Optional(
    t.Record(t.String({ maxLength: 300 }), t.String({ maxLength: 60 }), {
      description: 'By heading or letter: our column that it is read as, or an empty text to leave it out.',
      examples: [{ Titel: 'Name', D: '' }],
    }),
  ),
  hiddenRows: t.Optional(
    t.Boolean({ description: 'Whether rows that are hidden in the sheet are imported.' }),
  ),
})
export type SheetChoices = t.Static<typeof SheetChoices>
