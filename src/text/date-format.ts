import { memoize } from '#src/process/memoize'

/** Dates in words, by one formatter for each time zone: to make one takes forty times as long as to use it. */
export function dateFormat(options: Intl.DateTimeFormatOptions): (date: Date, timeZone?: string) => string {
  const formatOf = memoize<Intl.DateTimeFormat>(100)
  return (date, timeZone) =>
    formatOf(timeZone ?? '', () => new Intl.DateTimeFormat('en-GB', { ...options, timeZone })).format(date)
}

/** "22 Nov" */
export const shortDate = dateFormat({ day: 'numeric', month: 'short' })
