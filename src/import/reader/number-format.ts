/** Formats in which spreadsheets show numbers as dates or times (ECMA-376 part 1, 18.8.30). */

export type TimeFormat = 'date' | 'hours' | 'hours-seconds' | 'minutes'

const builtIn: Record<number, TimeFormat> = {
  ...Object.fromEntries([14, 15, 16, 17, 22].map((id) => [id, 'date' as const])),
  ...Object.fromEntries(
    [27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58].map((id) => [id, 'date' as const]),
  ),
  18: 'hours',
  19: 'hours-seconds',
  20: 'hours',
  21: 'hours-seconds',
  45: 'minutes',
  46: 'hours-seconds',
  47: 'minutes',
}

/** The kind of a built-in format or of a format code. Null for ordinary numbers. */
export function timeFormatOf(id: number, code: string | undefined): TimeFormat | null {
  if (code === undefined) return builtIn[id] ?? null
  const plain = code
    .slice(0, 200)
    .replace(/"[^"]*"|\\.|_.|\*./g, '')
    .replace(/\[(?![hms]+\])[^\]]*\]/gi, '')
    .replace(/general/gi, '')
    .split(';')[0]
  if (!plain || !/[ydhms]/i.test(plain)) return null
  if (/[yd]/i.test(plain)) return 'date'
  if (/h/i.test(plain)) return /s/i.test(plain) ? 'hours-seconds' : 'hours'
  return /s/i.test(plain) ? 'minutes' : 'date'
}

const daySeconds = 86_400
const spreadsheetEpoch = Date.UTC(1899, 11, 30)
/** Excel's day 60 is the non-existent 29 February 1900. Days from 1 March 1900 on are right. */
const days = { min: 61, max: 2_958_466 }

/**
 * The number as a spreadsheet shows it: "14:30", "0:14:30", "2026-11-27", "2026-11-27 20:00". A number that is no date
 * stays a number.
 */
export function shownTime(value: number, format: TimeFormat): string | number {
  if (value < 0 || value >= days.max) return value
  const seconds = Math.round(value * daySeconds)
  if (format !== 'date') return clock(seconds, format)
  if (value < days.min) return value < 1 ? clock(seconds, 'hours') : value
  const iso = new Date(spreadsheetEpoch + seconds * 1_000).toISOString()
  const time = iso.slice(11, 19)
  return time === '00:00:00' ? iso.slice(0, 10) : `${iso.slice(0, 10)} ${time.replace(/:00$/, '')}`
}

function clock(total: number, format: Exclude<TimeFormat, 'date'>): string {
  const two = (part: number) => String(part).padStart(2, '0')
  const seconds = total % 60
  const minutes = Math.floor(total / 60)
  if (format === 'minutes') return `${minutes}:${two(seconds)}`
  const hours = `${Math.floor(minutes / 60)}:${two(minutes % 60)}`
  return format === 'hours' && seconds === 0 ? hours : `${hours}:${two(seconds)}`
}
