import { sql } from 'drizzle-orm'
import { importDraftRows, type importDrafts } from '#db/schema'
import { AppError } from '#src/app-error'
import { type ChosenRows, chooseRows, type RawSheet, sheetOf } from '#src/import/rows/choose-rows'
import { mapSheets } from '#src/import/rows/choose-sheets'
import type { SheetChoices } from '#src/import/rows/sheet-schema'
import { fields } from '#src/import/rules'

type Found = Omit<RawSheet, 'rows'>

/**
 * The reader's findings about the sheet of a draft. The rows of a draft from before migration 0041 are stored by field
 * only.
 */
export function foundOf({
  found,
  rowCount,
}: Pick<typeof importDrafts.$inferSelect, 'found' | 'rowCount'>): Found {
  return found ?? { sheets: [sheetOf(fields, rowCount)], skipped: 0, notes: [] }
}

/**
 * The sheets with the operator's choices, and the number of rows to import. `problem` says why nothing can be imported
 * with these choices.
 */
export function viewSheet(
  found: Found,
  choices: SheetChoices,
): Pick<ChosenRows, 'sheets' | 'notes'> & { problem: string | null; rowCount: number } {
  try {
    const { sheets, notes } = chooseRows({ ...found, rows: [] }, choices)
    const chosen = sheets.filter(({ isChosen }) => isChosen)
    return { sheets, notes, problem: null, rowCount: chosen.reduce((sum, { rowCount }) => sum + rowCount, 0) }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return {
      sheets: mapSheets(found.sheets, choices),
      notes: found.notes,
      problem: error.message,
      rowCount: 0,
    }
  }
}

/** Columns of a stored row, in the form in which the reader found it. */
export const rawRowColumns = {
  sheet: importDraftRows.sheet,
  row: sql<number>`coalesce(${importDraftRows.sheetRow}, ${importDraftRows.row})`,
  isHidden: importDraftRows.isHidden,
  cells: importDraftRows.cells,
}
