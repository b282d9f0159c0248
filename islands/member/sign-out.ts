import { dropReports } from '#islands/listening/pending-reports'
import { sendStoredReports } from '#islands/listening/report-progress'
import { leaveOwner } from '#islands/offline/store'
import { api } from '#islands/runtime/api'
import { leaveStorage } from '#islands/runtime/browser-storage'
import { pageOwner } from '#islands/runtime/page-owner'

/** How long signing out waits for unsent reports. */
const waitingMs = 3_000

/**
 * Ends the session and deletes the member's data from this browser. Unsent reports are sent first; those that cannot be
 * are deleted. Throws what the request throws: without a network the member stays signed in and nothing is deleted.
 */
export async function endSession(): Promise<void> {
  document.querySelector('audio')?.pause()
  await Promise.race([sendStoredReports(), new Promise((resolve) => setTimeout(resolve, waitingMs))])
  await api('POST /api/auth/logout')
  await forgetMember()
}

/** Deletes all data of this page's member from this browser. */
export async function forgetMember(): Promise<void> {
  dropReports(pageOwner())
  leaveStorage()
  // In some private modes storage is unavailable, and nothing was stored.
  await leaveOwner(pageOwner()).catch(() => {})
}
