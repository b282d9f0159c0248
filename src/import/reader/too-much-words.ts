import { type ImportFormat, readerSecondsMax } from '../rules'

/** The error about a sheet that exceeds its reader's limits. */
export function tooMuchWords(what: 'memory' | 'time', format: ImportFormat): string {
  const happened =
    what === 'memory'
      ? 'This sheet needs more memory than is safe to use.'
      : `This sheet takes longer to read than the ${readerSecondsMax} seconds allowed.`
  const fix =
    format === 'workbook'
      ? 'Save it as CSV UTF-8, or split it into parts of fewer rows.'
      : 'Split it into parts of fewer rows, or look for a quote that is not closed.'
  return `${happened} ${fix}`
}
