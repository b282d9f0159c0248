/** Data goes to stdout, everything else to stderr; with --json stdout is one JSON document. */

export const jsonFlag = {
  json: { type: 'boolean', description: 'Print one JSON document', default: false },
} as const

export type JsonChoice = { json: boolean }

/** Prints a result: as JSON, or as lines for people. */
export function print({ json }: JsonChoice, data: unknown, lines: () => readonly string[]): void {
  process.stdout.write(
    json
      ? `${JSON.stringify(data, null, 2)}\n`
      : lines()
          .map((line) => `${line}\n`)
          .join(''),
  )
}

/** Prints a note to stderr, beside the data on stdout. */
export function printNote(message: string): void {
  process.stderr.write(`${message}\n`)
}

/** Aligned columns; the last one is not padded. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const widths = rows.reduce<number[]>(
    (all, row) => row.map((cell, at) => Math.max(all[at] ?? 0, cell.length)),
    [],
  )
  return rows.map((row) =>
    row
      .map((cell, at) => (at === row.length - 1 ? cell : cell.padEnd(widths[at] ?? 0)))
      .join('  ')
      .trimEnd(),
  )
}

/** A bar on a terminal, a line at the end of each step in a pipe. */
export function progressBar(): (step: string, done: number, total: number) => void {
  const isTerminal = process.stderr.isTTY
  return (step, done, total) => {
    const isDone = done >= total
    if (isTerminal) {
      const filled = Math.round((total > 0 ? done / total : 1) * 24)
      process.stderr.write(
        `\r${step.padEnd(16)} ${'█'.repeat(filled)}${'░'.repeat(24 - filled)} ${done}/${total}${isDone ? '\n' : ''}`,
      )
    } else if (isDone) process.stderr.write(`${step}: ${total}\n`)
  }
}
