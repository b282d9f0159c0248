import type { AppErrorCode } from '#src/app-error'
import type { RawSheet } from '#src/import/rows/choose-rows'
import type { RawRow } from '#src/import/rows/open-table'

/**
 * Output of the reading process, one JSON value per line: the rows, then the findings about the file, or the reason why
 * it cannot be read.
 */
export type ReaderMessage =
  | { row: RawRow }
  | { found: FoundBeside }
  | { refusal: { code: AppErrorCode; message: string } }

/**
 * The content of a file apart from its rows. Rows of the sheets in `dropped` are ignored: those sheets are no tables of
 * stories.
 */
export type FoundBeside = Omit<RawSheet, 'rows'> & { dropped: number[] }
