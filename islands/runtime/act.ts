import { reload } from '#islands/navigation/visit'
import { lastChangeAt } from '#islands/runtime/api'
import { listen } from '#islands/runtime/events'

/** When the shown page was asked for, in milliseconds as performance.now() counts them; 0 for a full load. */
let askedAt = 0
/** When the last change by an act that has ended was answered. */
let changedAt = 0
let isFollowing = false

/**
 * Does what a person asked for. Where another page takes the place of this one meanwhile, and was asked for before a
 * change was answered, it may show what was before: it is fetched again.
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
    // The page is still being put in place.
    queueMicrotask(refreshStalePage)
  })
}

/** A dialog would be closed by it, with what was typed there. */
function refreshStalePage(): void {
  if (changedAt > askedAt && !document.querySelector('#page dialog[open]')) void reload()
}
