import { listen } from '#islands/events'
import { timeWords } from '#src/ui/local-time'

/** Moments stand in the page in UTC; here they are told in the viewer's zone. */
export function startLocalTimes(): void {
  tell()
  listen('nocturne:navigated', tell)
}

function tell(): void {
  for (const element of document.querySelectorAll<HTMLTimeElement>('time[data-local]')) {
    element.textContent = timeWords(new Date(element.dateTime))
    delete element.dataset.local
  }
}
