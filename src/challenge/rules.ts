/** A year of days and one more. */
export const daysMax = 366
export const nameCharactersMax = 120
export const descriptionCharactersMax = 2_000
/** In place of the title of a day that its member never wants to see. */
export const hiddenTitle = 'Hidden by your settings'
/** In place of that of a day whose item is not published. */
export const awayTitle = 'Not in the library now'

/** The progress of a member. Dates are days of the member's own time zone, as YYYY-MM-DD. */
export type EnrolmentProgress = {
  totalDays: number
  /** The date on which day 1 opened. */
  startedOn: string
  /** Each completed day, with the date on which it was. */
  completedDays: Record<string, string>
  /** While the challenge is paused no further day opens. */
  pausedOn: string | null
}

export type EnrolmentState = {
  /** The first day that is not completed; the last one where all are. */
  currentDay: number
  /** When the current day opens, or opened; null where all are completed. */
  nextFlowDate: string | null
  /** The number of open days. A missed one stays open: nothing is ever reset. */
  openDays: number
  doneDays: number
  isComplete: boolean
}

/** The state of a member's challenge on a date. A day opens at midnight, one a day from the first. */
export function stateOf(progress: EnrolmentProgress, today: string): EnrolmentState {
  const { totalDays, startedOn, completedDays, pausedOn } = progress
  const until = pausedOn !== null && pausedOn < today ? pausedOn : today
  const openDays = Math.max(0, Math.min(totalDays, daysBetween(startedOn, until) + 1))
  const days = Array.from({ length: totalDays }, (_, at) => at + 1)
  const first = days.find((day) => !completedDays[day])
  const doneDays = days.filter((day) => completedDays[day]).length
  const pausedDays = pausedOn === null ? 0 : Math.max(0, daysBetween(pausedOn, today))
  return {
    currentDay: first ?? totalDays,
    nextFlowDate: first === undefined ? null : dateAfter(startedOn, first - 1 + pausedDays),
    openDays,
    doneDays,
    isComplete: first === undefined,
  }
}

/**
 * When a member is notified that a day has opened: in the evening, while it is not done, and no longer after a week in
 * which nothing was done. Hours of the member's own clock.
 */
export const reminderHours = { from: 19, until: 22 } as const
const reminderDaysMax = 7

/**
 * Whether a day that opens on this date needs a reminder: it is not done, the challenge is not paused, and the member
 * was active lately.
 */
export function needsReminder(
  { totalDays, startedOn, completedDays, pausedOn }: EnrolmentProgress,
  today: string,
): boolean {
  const day = daysBetween(startedOn, today) + 1
  if (day < 1 || day > totalDays || completedDays[day] || pausedOn !== null) return false
  const lastSeenOn = [startedOn, ...Object.values(completedDays)].toSorted().at(-1) ?? startedOn
  return daysBetween(lastSeenOn, today) <= reminderDaysMax
}

/** The hour of a time zone, 0 to 23. Throws RangeError for a zone that does not exist. */
export function hourIn(timeZone: string, date: Date): number {
  return Number(
    new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', hourCycle: 'h23' }).format(date),
  )
}

/** The date in a time zone. Throws RangeError for a zone that does not exist. */
export function dateIn(timeZone: string, date: Date): string {
  // Swedish writes dates as ISO 8601 does.
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(date)
}

export function isTimeZone(name: string): boolean {
  try {
    dateIn(name, new Date())
    return true
  } catch {
    return false
  }
}

export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / dayMs)
}

export function dateAfter(date: string, days: number): string {
  return new Date(Date.parse(date) + days * dayMs).toISOString().slice(0, 10)
}

/** Dates alone are midnights in UTC, whose days have no summer time. */
const dayMs = 86_400_000
