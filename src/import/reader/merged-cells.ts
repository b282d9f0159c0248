/** A range of merged cells: rows from 1, columns from 0. */
export type MergedRange = { column: number; from: number; to: number }

/** As many as a sheet may have rows. A sheet with more ranges is no table of stories. */
export const mergedRangesMax = 20_000

/**
 * Fills merged cells downwards: the rows below the first one of a range get its value in the range's first column. A
 * row without cells of its own belongs to the one above and stays empty. Rows have to be given in order.
 */
export function openMergedCells<Value>(ranges: readonly MergedRange[]) {
  const starts = Map.groupBy(
    ranges.filter(({ from, to }) => to > from),
    ({ from }) => from,
  )
  const open = new Map<number, { to: number; value: Value }>()
  const filled = new Map<number, number>()
  return {
    fill(row: number, cells: Value[], blank: Value): Value[] {
      const isOwn = cells.some((cell) => cell !== blank)
      for (const [column, { to, value }] of open) {
        if (to < row) open.delete(column)
        else if (isOwn && (cells[column] ?? blank) === blank) {
          while (cells.length < column) cells.push(blank)
          cells[column] = value
          filled.set(column, (filled.get(column) ?? 0) + 1)
        }
      }
      for (const { column, to } of starts.get(row) ?? []) {
        const value = cells[column]
        if (value !== undefined && value !== blank) open.set(column, { to, value })
      }
      return cells
    },
    /** How many cells were filled, by column. */
    filled: () => filled,
  }
}
