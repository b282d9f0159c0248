import { dropReports, pageOwner } from '#islands/kept-reports'
import { changeOwner } from '#islands/offline/store'
import { sendKeptReports } from '#islands/report-progress'

/** Nobody who goes waits longer than this for what has not arrived. */
const waitingMs = 3_000

/** The last that this page does for a member: what waits is sent, or else forgotten; nothing of it stays. */
export async function clearUpForSignOut(): Promise<void> {
  document.querySelector('audio')?.pause()
  await Promise.race([sendKeptReports(), new Promise((resolve) => setTimeout(resolve, waitingMs))])
  await forgetMember()
}

/** Nothing of this page's member is left in this browser. */
export async function forgetMember(): Promise<void> {
  dropReports(pageOwner())
  // Storage is closed in some private modes: then nothing was kept.
  await changeOwner('').catch(() => {})
}
