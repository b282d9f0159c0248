import { dateFormat, shortDate } from '#src/text/date-format'

/** A time. The server renders it in UTC; a script changes it to the viewer's zone. */
export function LocalTime({ at }: { at: Date | string }) {
  const date = new Date(at)
  return <WrittenTime at={date.toISOString()} words={utcWords(date)} />
}

/** Like `LocalTime`, for a time that is already formatted. `at` is in ISO 8601. */
export function WrittenTime({ at, words }: { at: string; words: string }) {
  return (
    <time dateTime={at} data-local="">
      {words}
    </time>
  )
}

/**
 * The markup of `<LocalTime>` as a string: rendering fifty with React took a ninth of the time of My Content
 * (measured).
 */
export function localTimeMarkup(at: string): string {
  const date = new Date(at)
  return `<time dateTime="${date.toISOString()}" data-local="">${utcWords(date)}</time>`
}

/** "21 Nov 2026, 18:02 UTC" */
export function utcWords(date: Date): string {
  return `${timeWords(date, 'UTC')} UTC`
}

/** "21 Nov 2026, 18:02" */
export const timeWords = dateFormat({
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
})

/** A day in words, such as "Tuesday". The server renders it in UTC; a script changes it to the viewer's zone. */
export function LocalDay({ at, now = new Date() }: { at: Date; now?: Date }) {
  return (
    <time dateTime={at.toISOString()} data-local="day">
      {dayWords(at, now, 'UTC')}
    </time>
  )
}

const dayMs = 24 * 3_600_000

/** "earlier today", "yesterday", "Tuesday" within the last week, and before that "14 Nov". */
export function dayWords(date: Date, now: Date, timeZone?: string): string {
  const days = [0, 1].map((ago) => dateWords(new Date(now.getTime() - ago * dayMs), timeZone))
  const at = days.indexOf(dateWords(date, timeZone))
  if (at >= 0) return at === 0 ? 'earlier today' : 'yesterday'
  const isThisWeek = now.getTime() - date.getTime() < 6 * dayMs
  return isThisWeek ? weekdayWords(date, timeZone) : shortDate(date, timeZone)
}

const dateWords = dateFormat({})
const weekdayWords = dateFormat({ weekday: 'long' })

/**
 * A greeting with a name, as one text: text that followed it in a separate element would move when the greeting becomes
 * longer.
 */
export function greet(greeting: string, name: string | null | undefined): string {
  return name ? `${greeting}, ${name}` : greeting
}

/** The greeting at an hour of the day, 0 to 23. */
export function greetingAt(hour: number): string {
  if (hour >= 5 && hour < 12) return 'Good morning'
  return hour >= 12 && hour < 18 ? 'Good afternoon' : 'Good evening'
}
