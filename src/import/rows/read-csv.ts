import Papa from 'papaparse'
import { AppError } from '#src/app-error'
import { fieldOfColumn, rowCharactersMax, rowsMax } from '#src/import/rules'
import { unguard } from '#src/text/csv'
import { linesAboveMax } from './find-heading'

/** Enough for the first lines, from which separator and line ends are detected. */
const headCharacters = 64 * 1024

/** A line with the number that a spreadsheet program shows: blank lines count, line ends inside of quotes do not. */
type CsvLine = { row: number; cells: string[] }

/**
 * Opens a streaming parser of text whose cells may be quoted. `take` returns the complete lines so far, `end` the rest;
 * blank lines are skipped. If no separator is given, it is detected from the first lines. Both throw `invalid` with the
 * fix. Browser-safe.
 */
export function openCsv(separator?: string): { take(piece: string): CsvLine[]; end(): CsvLine[] } {
  let parser: Papa.Parser | null = null
  let rest = ''
  let rows = 0
  const parse = (text: string, { isLast }: { isLast: boolean }): CsvLine[] => {
    parser ??= openParser(text, separator)
    const parsed: Papa.ParseResult<string[]> = parser.parse(text, 0, !isLast)
    // The last line may be incomplete. Its errors do not count until it is parsed whole.
    const broken = parsed.errors.find(
      ({ type, row = 0 }) => type === 'Quotes' && (isLast || row < parsed.data.length),
    )
    if (broken) throw openQuote(rows + (broken.row ?? 0) + 1)
    rest = isLast ? '' : text.slice(parsed.meta.cursor)
    if (rest.length > rowCharactersMax && !parsed.meta.truncated) throw tooLong(rows + parsed.data.length + 1)
    const before = rows
    rows += parsed.data.length
    return parsed.data.flatMap((line, at) => {
      const row = before + at + 1
      if (line.every((cell) => cell.trim() === '') || (row === 1 && statedSeparator(line.join(';'))))
        return []
      return [{ row, cells: line.map(unguard) }]
    })
  }
  return {
    take: (piece) => parse(rest + piece, { isLast: false }),
    end: () => (rest ? parse(rest, { isLast: true }) : []),
  }
}

function openParser(text: string, separator: string | undefined): Papa.Parser {
  const head = text.slice(0, headCharacters)
  const known = separator ?? statedSeparator(head) ?? separatorOfHeading(head)
  const { delimiter, linebreak } = Papa.parse(head, { delimiter: known, preview: 10 }).meta
  // The parser's fast mode parses the whole text before it checks the limit of rows.
  return new Papa.Parser({
    delimiter,
    newline: newlineOf(linebreak),
    fastMode: false,
    preview: rowsMax + linesAboveMax,
  })
}

/** The separator that Excel states in a first line of its own: `sep=;`. */
function statedSeparator(head: string): string | undefined {
  return head.match(/^sep=([,;|\t])/i)?.[1]
}

/** The separator by which a line names the most columns. The parser's own guess is misled by commas inside of texts. */
function separatorOfHeading(head: string): string | undefined {
  const lines = head.split(/\r\n?|\n/, linesAboveMax)
  const counts = [',', ';', '\t', '|'].map((separator) => {
    const named = lines.map(
      (line) => line.split(separator).filter((cell) => fieldOfColumn(cell) !== null).length,
    )
    return { separator, count: Math.max(...named) }
  })
  const best = counts.reduce((most, each) => (each.count > most.count ? each : most))
  return best.count > 1 ? best.separator : undefined
}

function newlineOf(linebreak: string): '\r' | '\n' | '\r\n' {
  return linebreak === '\r' || linebreak === '\r\n' ? linebreak : '\n'
}

function openQuote(row: number): AppError {
  return new AppError(
    'invalid',
    `Parse error: a quote that opens in row ${row} is not closed. Close it, or double the quotes inside the cell.`,
  )
}

function tooLong(row: number): AppError {
  return new AppError(
    'invalid',
    `Row ${row} holds more than ${rowCharactersMax.toLocaleString('en')} characters. Shorten it, or look for a quote that is not closed.`,
  )
}
