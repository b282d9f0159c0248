import { reload } from '#islands/navigation/visit'
import { lastChangeAt } from '#islands/runtime/api'
import { listen } from '#islands/runtime/events'

/** When the shown page was requested, in milliseconds of performance.now(); 0 for a page that the browser loaded. */
let askedAt = 0
/** When the last change was answered, among those of acts that have ended. */
let changedAt = 0
let isFollowing = false

/**
 * Runs an action of the person. If soft navigation shows another page meanwhile, and that page was requested before the
 * action's change was answered, the page may be stale, so it is fetched again.
 */
export async function act<T>(work: () => Promise<T>): Promise<T> {
  if (!isFollowing) followPages()
  const [startedAt, pageBefore] = [performance.now(), askedAt]
  try {
    return await work()
  } finally {
    if (lastChangeAt() > startedAt) changedAt = lastChangeAt()
    if (askedAt !== pageBefore) refreshStalePage()
  }
}

function followPages(): void {
  isFollowing = true
  listen('nocturne:navigated', (page) => {
    askedAt = page.askedAt
    // The page is still being swapped in.
    queueMicrotask(refreshStalePage)
  })
}

/** Reloads the page if it is older than the last change, but not over an open dialog: its input would be lost. */
function refreshStalePage(): void {
  if (changedAt > askedAt && !document.querySelector('#page dialog[open]')) void reload()
}
