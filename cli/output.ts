import { pluralize } from '#src/text/pluralize'

/**
 * Data goes to stdout, everything else to stderr; with --json stdout is one JSON document. Strangers write what
 * operators list, so what a terminal would obey never reaches it.
 */

export const jsonFlag = {
  json: { type: 'boolean', description: 'Print one JSON document', default: false },
} as const

export type JsonChoice = { json: boolean }

/** Prints a result: as JSON, or as lines for people. */
export function print({ json }: JsonChoice, data: unknown, lines: () => readonly string[]): void {
  send(
    process.stdout,
    json
      ? `${JSON.stringify(data, null, 2).replace(obeyed, jsonEscape)}\n`
      : lines()
          .map((line) => `${visible(line)}\n`)
          .join(''),
  )
}

/** Prints a note or an error to stderr, beside the data on stdout. */
export function printNote(message: string): void {
  send(process.stderr, `${visible(message)}\n`)
}

/** "50 of 101 changes", and how to go on. */
export function printCount(
  shown: number,
  {
    count,
    isAtLeast = false,
    nextCursor,
  }: { count: number; isAtLeast?: boolean; nextCursor?: string | null },
  noun: string,
): void {
  printNote(`${shown.toLocaleString('en')} of ${isAtLeast ? 'more than ' : ''}${pluralize(count, noun)}`)
  printCursor(nextCursor)
}

/** How to go on, where there is more. */
export function printCursor(nextCursor: string | null | undefined): void {
  if (nextCursor) printNote(`Go on with --cursor ${nextCursor}`)
}

/**
 * Writes a file's text to stdout, as fast as it is read: as it is into a pipe or a file, and visible on a terminal.
 * Throws `ReaderGone` where nobody reads on.
 */
export function printFile(text: string): Promise<void> {
  return send(process.stdout, process.stdout.isTTY ? visible(text) : text)
}

/** Prints what has colours of its own, such as a help. */
export function printStyled(stream: NodeJS.WriteStream, lines: readonly string[]): void {
  send(stream, `${lines.join('\n')}\n`)
}

/** Who reads the output has had enough, as `head` has: the end, and no failure. */
export class ReaderGone extends Error {}

let sent: Promise<unknown> = Promise.resolve()

/** Resolves once everything is written: a process that exits before loses what a slow reader has not read yet. */
export function allSent(): Promise<unknown> {
  return sent
}

function send(stream: NodeJS.WriteStream, text: string): Promise<void> {
  const written = new Promise<void>((resolve, reject) =>
    stream.write(text, (error) => {
      if (!error) resolve()
      else reject('code' in error && error.code === 'EPIPE' ? new ReaderGone() : error)
    }),
  )
  sent = Promise.all([sent, written])
  // `allSent` says what failed, for those who print and go on.
  for (const each of [sent, written]) each.catch(() => {})
  return written
}

/** What a terminal obeys: control characters but tabs and line ends, and those that turn the direction of text. */
const obeyed = /(?!\t|\r?\n)\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu

/** A text as a terminal may show it: `\u{1b}` in place of ESC. */
export function visible(text: string): string {
  return text.replace(obeyed, (character) => `\\u{${codeOf(character)}}`)
}

/** JSON escapes the others itself. */
function jsonEscape(character: string): string {
  return `\\u${codeOf(character).padStart(4, '0')}`
}

function codeOf(character: string): string {
  return character.charCodeAt(0).toString(16)
}

/** Aligned columns; the last one is not padded. A line end in a cell is shown: it would begin a row. */
export function table(texts: readonly (readonly string[])[]): string[] {
  const rows = texts.map((row) =>
    row.map((cell) => visible(cell).replace(/[\r\n]/g, (end) => `\\u{${codeOf(end)}}`)),
  )
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
      send(
        process.stderr,
        `\r${step.padEnd(16)} ${'█'.repeat(filled)}${'░'.repeat(24 - filled)} ${done}/${total}${isDone ? '\n' : ''}`,
      )
    } else if (isDone) printNote(`${step}: ${total}`)
  }
}
