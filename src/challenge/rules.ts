/** A leap year has 366 days. */
export const daysMax = 366
export const nameCharactersMax = 120
export const descriptionCharactersMax = 2_000
/** Shown in place of the title of a day whose item the member hides. */
export const hiddenTitle = 'Hidden by your settings'
/** Shown in place of the title of a day whose item is not published. */
export const awayTitle = 'Not in the library now'

/** A member's progress. Dates are days in the member's time zone, as YYYY-MM-DD. */
export type EnrolmentProgress = {
  totalDays: number
  /** The date on which day 1 opened. */
  startedOn: string
  /** The completed days, each with the date of its completion. */
  completedDays: Record<string, string>
  /** When the challenge was paused. No further day opens during a pause. */
  pausedOn: string | null
}

export type EnrolmentState = {
  /** The first day that is not completed, or the last one if all are. */
  currentDay: number
  /** When the current day opens or opened; null if all are completed. */
  nextFlowDate: string | null
  /** The number of open days. A missed day stays open: nothing is ever reset. */
  openDays: number
  doneDays: number
  isComplete: boolean
}

/** The state of a member's challenge on a date. One day opens at each midnight, starting with the first. */
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
 * The hours, by the member's own clock, in which a reminder of an open day may be sent. None is sent for a day that is
 * done, nor after a week in which nothing was done.
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

/** The hour in a time zone, 0 to 23. Throws RangeError for a zone that does not exist. */
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

/** Dates are midnights in UTC, which has no summer time. */
const dayMs = 86_400_000
