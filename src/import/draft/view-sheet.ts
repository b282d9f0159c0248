import { sql } from 'drizzle-orm'
import { importDraftRows, type importDrafts } from '#db/schema'
import { AppError } from '#src/app-error'
import { type ChosenRows, chooseRows, mapSheets, type RawSheet, sheetOf } from '#src/import/rows/choose-rows'
import type { SheetChoices } from '#src/import/rows/sheet-schema'
import { fields } from '#src/import/rules'

type Found = Omit<RawSheet, 'rows'>

/** What the sheet of a draft was found to hold; a draft of before migration 0041 has rows by field alone. */
export function foundOf({
  found,
  rowCount,
}: Pick<typeof importDrafts.$inferSelect, 'found' | 'rowCount'>): Found {
  return found ?? { sheets: [sheetOf(fields, rowCount)], skipped: 0, notes: [] }
}

/** The sheets as they are chosen, and how many rows come of them; `problem` where nothing can be imported so. */
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

/** A stored row as the reader found it. */
export const rawRow = {
  sheet: importDraftRows.sheet,
  row: sql<number>`coalesce(${importDraftRows.sheetRow}, ${importDraftRows.row})`,
  isHidden: importDraftRows.isHidden,
  cells: importDraftRows.cells,
}
