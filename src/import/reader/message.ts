import type { AppErrorCode } from '#src/app-error'
import type { SourceRow } from '#src/import/rows/read-rows'

/** The output of the reading process, one JSON value a line: the rows, then the outcome. */
export type ReaderMessage =
  | { row: SourceRow }
  | { skipped: number }
  | { refusal: { code: AppErrorCode; message: string } }
