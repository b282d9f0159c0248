import { dropReports, pageOwner } from '#islands/listening/pending-reports'
import { sendStoredReports } from '#islands/listening/report-progress'
import { changeOwner } from '#islands/offline/store'
import { leaveStorage } from '#islands/runtime/browser-storage'

/** Signing out waits no longer than this for unsent reports. */
const waitingMs = 3_000

/** The last step of a sign-out: unsent reports are sent, or else deleted. */
export async function clearUpForSignOut(): Promise<void> {
  document.querySelector('audio')?.pause()
  await Promise.race([sendStoredReports(), new Promise((resolve) => setTimeout(resolve, waitingMs))])
  await forgetMember()
}

/** Deletes all data of this page's member from this browser. */
export async function forgetMember(): Promise<void> {
  dropReports(pageOwner())
  leaveStorage()
  // Storage is closed in some private modes: then nothing was stored.
  await changeOwner('').catch(() => {})
}
