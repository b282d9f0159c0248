import { pluralize } from '#src/text/pluralize'

/**
 * Data goes to stdout, everything else to stderr. With --json stdout is one JSON document. Operators list texts of
 * strangers, so control characters that a terminal would obey are escaped.
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

/** Prints the number of rows, "50 of 101 changes", and how to continue. */
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

/** Prints how to continue if there is more. */
export function printCursor(nextCursor: string | null | undefined): void {
  if (nextCursor) printNote(`Continue with --cursor ${nextCursor}`)
}

/**
 * Writes a file's text to stdout, as fast as it is read. In a pipe or a file it is unchanged; on a terminal control
 * characters are escaped. Throws `ReaderGone` if the reader has stopped.
 */
export function printFile(text: string): Promise<void> {
  return send(process.stdout, process.stdout.isTTY ? visible(text) : text)
}

/** Prints text that contains its own styles, such as a help. */
export function printStyled(stream: NodeJS.WriteStream, lines: readonly string[]): void {
  send(stream, `${lines.join('\n')}\n`)
}

/** The reader of the output has stopped, as `head` does. This ends the command and is no failure. */
export class ReaderGone extends Error {}

let sent: Promise<unknown> = Promise.resolve()

/** Resolves once everything is written. If the process exits before that, a slow reader loses the rest. */
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
  // Callers that do not wait get the failure from `allSent`.
  for (const each of [sent, written]) each.catch(() => {})
  return written
}

/**
 * Characters that a terminal obeys: control characters except tabs and line ends, and those that change the direction
 * of text.
 */
const obeyed = /(?!\t|\r?\n)\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu

/** Escapes control characters for a terminal: `\u{1b}` for ESC. */
export function visible(text: string): string {
  return text.replace(obeyed, (character) => `\\u{${codeOf(character)}}`)
}

/** Escapes a control character for JSON. JSON.stringify escapes the others itself. */
function jsonEscape(character: string): string {
  return `\\u${codeOf(character).padStart(4, '0')}`
}

function codeOf(character: string): string {
  return character.charCodeAt(0).toString(16)
}

/**
 * Formats rows as aligned columns; the last one is not padded. A line end in a cell is escaped, because it would start
 * a new row.
 */
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

/** Returns a progress display: a bar on a terminal, and in a pipe one line at the end of each step. */
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
