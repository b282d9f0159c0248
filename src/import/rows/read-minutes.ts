import { durationMinutesDefault, durationMinutesMax } from '#src/story/rules'

/** Receives what is wrong with a length: problems refuse the row, notes are shown with it. */
export type Report = { problem(message: string): void; note(message: string): void }

/**
 * Reads a length in whole minutes: `14`, `14,5`, `14 min`, `14:30` (minutes and seconds), `1:02:30`. A value that is no
 * number falls back to 15, as in the forms, with a note. Null if the cell is empty or a problem.
 */
export function readMinutes(value: string, report: Report): number | null {
  if (!value) return null
  const shown = `"${value.slice(0, 20)}"`
  if (/^\d{4}-\d{2}-\d{2}/.test(value)) {
    report.problem(
      `${shown} is a date: the spreadsheet took the minutes for one. Format the cell as Number, and enter them again.`,
    )
    return null
  }
  const clock = readClock(value)
  const minutes = clock ?? Number(value.replace(',', '.').replace(/\s*(min|minutes|m)\.?$/i, ''))
  if (Number.isNaN(minutes)) {
    report.note(
      `${shown} is not a number of minutes, and was read as ${durationMinutesDefault}. Write a number from 1 to ${durationMinutesMax}.`,
    )
    return durationMinutesDefault
  }
  if (minutes <= 0 || minutes > durationMinutesMax) {
    const what = clock === null ? '' : ` It says ${clockWords(clock)}.`
    report.problem(
      `${shown} is not a length in minutes.${what} Write a number from 1 to ${durationMinutesMax}.`,
    )
    return null
  }
  const whole = Math.max(1, Math.round(minutes))
  if (clock !== null)
    report.note(
      `${shown} was read as ${clockWords(clock)}: ${whole} in whole minutes. Write ${whole} to be sure.`,
    )
  return whole
}

/** Minutes of `14:30` or `1:02:30`. A spreadsheet's time of day looks the same. */
function readClock(value: string): number | null {
  const [, first, second, third] = value.match(/^(\d{1,4}):([0-5]\d)(?::([0-5]\d))?$/) ?? []
  if (first === undefined || second === undefined) return null
  if (third === undefined) return Number(first) + Number(second) / 60
  return Number(first) * 60 + Number(second) + Number(third) / 60
}

function clockWords(minutes: number): string {
  const total = Math.round(minutes * 60)
  const parts = [
    [Math.floor(total / 3_600), 'h'],
    [Math.floor(total / 60) % 60, 'min'],
    [total % 60, 's'],
  ] as const
  return parts.flatMap(([count, unit]) => (count > 0 ? [`${count} ${unit}`] : [])).join(' ')
}
