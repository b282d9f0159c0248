import { listen } from '#islands/events'
import { dayWords, greetingAt, timeWords } from '#src/ui/local-time'

/** Moments stand in the page in UTC; here they are told in the viewer's zone, and a greeting by their clock. */
export function startLocalTimes(): void {
  tell()
  listen('nocturne:navigated', tell)
}

function tell(): void {
  for (const element of document.querySelectorAll<HTMLTimeElement>('time[data-local]')) {
    const moment = new Date(element.dateTime)
    element.textContent = element.dataset.local === 'day' ? dayWords(moment, new Date()) : timeWords(moment)
    delete element.dataset.local
  }
  const greeting = document.querySelector('[data-greeting]')
  if (greeting) greeting.textContent = greetingAt(new Date().getHours())
}
