import { runEvery } from '#src/process/run-every'
import type { Services } from '#src/services'
import { remindOfToday } from './remind-today'

/** How often reminders are sent: the evening has three hours, so one may be some minutes late. */
const reminderMinutes = 5

/** Starts the evening reminders of challenges. */
export function startReminding(services: Services) {
  const { log } = services
  return runEvery(
    { seconds: reminderMinutes * 60, first: 'now', failure: 'an evening could not be told of', log },
    () => remindOfToday(services),
  )
}
