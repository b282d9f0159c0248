import { memoize } from '#src/process/memoize'

/**
 * Formats dates in words. Formatters are cached by time zone, since creating one takes forty times as long as using it.
 */
export function dateFormat(options: Intl.DateTimeFormatOptions): (date: Date, timeZone?: string) => string {
  const formatOf = memoize<Intl.DateTimeFormat>(100)
  return (date, timeZone) =>
    formatOf(timeZone ?? '', () => new Intl.DateTimeFormat('en-GB', { ...options, timeZone })).format(date)
}

/** "22 Nov" */
export const shortDate = dateFormat({ day: 'numeric', month: 'short' })
