/** A moment: in UTC as the server writes it, in the viewer's own zone as soon as a script can say which that is. */
export function LocalTime({ at }: { at: Date | string }) {
  const moment = new Date(at)
  return (
    <time dateTime={moment.toISOString()} data-local="">
      {timeWords(moment, 'UTC')} UTC
    </time>
  )
}

/** "21 Nov 2026, 18:02" */
export function timeWords(moment: Date, timeZone?: string): string {
  return moment.toLocaleString('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
  })
}
