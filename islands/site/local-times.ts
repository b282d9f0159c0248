import { listen } from '#islands/runtime/events'
import { dayWords, greet, greetingAt, timeWords } from '#src/ui/local-time'

/** Converts the page's times from UTC to the viewer's zone, and sets the greeting by the viewer's clock. */
export function startLocalTimes(): void {
  showTimes()
  listen('nocturne:navigated', showTimes)
  listen('nocturne:islands', showTimes)
}

function showTimes(): void {
  for (const element of document.querySelectorAll<HTMLTimeElement>('time[data-local]')) {
    const date = new Date(element.dateTime)
    element.textContent = element.dataset.local === 'day' ? dayWords(date, new Date()) : timeWords(date)
    delete element.dataset.local
  }
  const greeting = document.querySelector<HTMLElement>('[data-greeting]')
  if (greeting) greeting.textContent = greet(greetingAt(new Date().getHours()), greeting.dataset.greeting)
}
