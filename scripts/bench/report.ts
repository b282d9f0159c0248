/**
 * The report of the bench: one line for each figure, with its goal if it has one. A figure that was not measured never
 * passes.
 */
export function heading(text: string): void {
  process.stdout.write(`\n${text}\n`)
}

export function figure(name: string, value: number, unit: string, goal?: Goal): void {
  const verdict = goal && (isMet(value, goal) ? '  met' : '  NOT MET')
  process.stdout.write(
    `  ${name.padEnd(58)} ${format(value).padStart(10)} ${unit.padEnd(10)} ${goalWords(goal)}${verdict ?? ''}\n`,
  )
}

export function notMeasured(name: string, why: string): void {
  process.stdout.write(`  ${name.padEnd(58)} not measured: ${why}\n`)
}

type Goal = { atLeast: number } | { atMost: number }
type Column<Row> = { name: string; of: (row: Row) => number; goal?: Goal }

/**
 * Prints rows of figures below the names and goals of their columns. A figure that misses its goal is marked with a
 * star.
 */
export function table<Row>(columns: readonly Column<Row>[], rows: readonly (readonly [string, Row])[]): void {
  const line = (name: string, cells: readonly string[]) =>
    process.stdout.write(`  ${name.padEnd(40)}${cells.map((cell) => cell.padStart(13)).join('')}\n`)
  line(
    '',
    columns.map(({ name }) => name),
  )
  line(
    '',
    columns.map(({ goal }) => goalWords(goal)),
  )
  for (const [name, row] of rows)
    line(
      name,
      columns.map(({ of, goal }) => `${format(of(row))}${isMet(of(row), goal) ? ' ' : '*'}`),
    )
}

function isMet(value: number, goal: Goal | undefined): boolean {
  return !goal || ('atLeast' in goal ? value >= goal.atLeast : value <= goal.atMost)
}

function goalWords(goal: Goal | undefined): string {
  if (!goal) return ''
  return 'atLeast' in goal ? `goal ≥ ${goal.atLeast}` : `goal ≤ ${goal.atMost}`
}

function format(value: number): string {
  return value >= 1_000 ? Math.round(value).toLocaleString('en') : value.toPrecision(3)
}
