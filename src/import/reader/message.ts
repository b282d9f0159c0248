import type { AppErrorCode } from '#src/app-error'
import type { RawSheet } from '#src/import/rows/choose-rows'
import type { RawRow } from '#src/import/rows/open-table'

/** The output of the reading process, one JSON value a line: the rows, then what was found beside them, or why not. */
export type ReaderMessage =
  | { row: RawRow }
  | { found: FoundBeside }
  | { refusal: { code: AppErrorCode; message: string } }

/** What a file holds beside its rows. Rows of sheets in `dropped` are not used: they are no tables of stories. */
export type FoundBeside = Omit<RawSheet, 'rows'> & { dropped: number[] }
