import Papa from 'papaparse'
import { AppError } from '#src/app-error'
import { rowCharactersMax, rowsMax } from '#src/import/rules'
import { unguard } from '#src/text/csv'

/** Enough for ten lines, from which separator and line ends are detected. */
const headCharacters = 64 * 1024

/**
 * A streaming parser of texts whose cells may be quoted: `take` returns the complete lines so far, `end` the rest;
 * blank lines are skipped. Without a given separator it is detected from the first lines. Both throw `invalid` with
 * the fix. Browser-safe.
 */
export function openCsv(separator?: string): { take(piece: string): string[][]; end(): string[][] } {
  let parser: Papa.Parser | null = null
  let rest = ''
  let rows = 0
  const parse = (text: string, { isLast }: { isLast: boolean }): string[][] => {
    parser ??= openParser(text, separator)
    const parsed: Papa.ParseResult<string[]> = parser.parse(text, 0, !isLast)
    // An incomplete line is not parsed yet.
    const broken = parsed.errors.find(
      ({ type, row = 0 }) => type === 'Quotes' && (isLast || row < parsed.data.length),
    )
    if (broken) throw openQuote(rows + (broken.row ?? 0))
    rest = isLast ? '' : text.slice(parsed.meta.cursor)
    if (rest.length > rowCharactersMax && !parsed.meta.truncated) throw tooLong(rows + parsed.data.length)
    rows += parsed.data.length
    return parsed.data
      .filter((line) => line.some((cell) => cell.trim() !== ''))
      .map((line) => line.map(unguard))
  }
  return {
    take: (piece) => parse(rest + piece, { isLast: false }),
    end: () => (rest ? parse(rest, { isLast: true }) : []),
  }
}

function openParser(text: string, separator: string | undefined): Papa.Parser {
  const { delimiter, linebreak } = Papa.parse(text.slice(0, headCharacters), {
    delimiter: separator,
    preview: 10,
  }).meta
  // The fast mode parses the whole text before it checks the limit of rows.
  return new Papa.Parser({ delimiter, newline: newlineOf(linebreak), fastMode: false, preview: rowsMax + 2 })
}

function newlineOf(linebreak: string): '\r' | '\n' | '\r\n' {
  return linebreak === '\r' || linebreak === '\r\n' ? linebreak : '\n'
}

function openQuote(row: number): AppError {
  return new AppError(
    'invalid',
    `Parse error: a quote that opens in row ${row || 1} is not closed. Close it, or double the quotes inside of the cell.`,
  )
}

function tooLong(row: number): AppError {
  return new AppError(
    'invalid',
    `Row ${row || 1} holds more than ${rowCharactersMax.toLocaleString('en')} characters. Shorten it, or look for a quote that is not closed.`,
  )
}
