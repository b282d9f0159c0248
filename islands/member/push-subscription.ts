import { subscriptionBody } from '#islands/offline/notice'
import { api } from '#islands/runtime/api'
import { UserFacingError } from '#islands/runtime/api-error'
import type { PushSwitchState } from '#src/push/push-rows'
import type { PushState } from '#src/push/schema'

/** The state of notifications in this browser. Prompts for nothing. */
export async function findSwitchState({ publicKey, isOn, devices }: PushState): Promise<PushSwitchState> {
  if (!isSecureContext) return 'insecure'
  // Safari on an iPhone supports them only in apps of the home screen.
  if (!('PushManager' in window && 'Notification' in window && 'serviceWorker' in navigator))
    return 'standalone' in navigator && !navigator.standalone ? 'not-installed' : 'unable'
  if (Notification.permission === 'denied') return 'blocked'
  const registration = await navigator.serviceWorker.getRegistration()
  const subscription = await registration?.pushManager.getSubscription()
  const isKnown = isOn && devices.some(({ isCurrent }) => isCurrent)
  const isWhole = Notification.permission === 'granted' && subscription && isOurs(subscription, publicKey)
  return isKnown && isWhole ? 'on' : 'off'
}

/**
 * Asks the person for permission, subscribes the browser, then registers with the server. Throws a UserFacingError
 * where one of them refuses.
 */
export async function turnPushOn(publicKey: string): Promise<PushState> {
  // First of all: some browsers prompt only right after a press.
  const permission = await Notification.requestPermission()
  if (permission === 'denied') throw new UserFacingError('Your browser does not allow it.')
  if (permission !== 'granted') throw new UserFacingError('Nothing was chosen, so nothing changes.')
  const { pushManager } = await workerReady()
  const last = await pushManager.getSubscription()
  if (last && !isOurs(last, publicKey)) await last.unsubscribe()
  const subscription = await pushManager
    .subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
    .catch(() => {
      throw new UserFacingError('Your browser did not reach its push service, or has it switched off.')
    })
  return api('POST /api/user/push', { body: subscriptionBody(subscription) })
}

/** Ends a browser's notifications; those of this browser in the browser, too. */
export async function turnPushOff({ id, isCurrent }: { id: string; isCurrent: boolean }): Promise<PushState> {
  const state = await api('DELETE /api/user/push/:id', { path: { id } })
  if (isCurrent) {
    const registration = await navigator.serviceWorker?.getRegistration()
    const subscription = await registration?.pushManager?.getSubscription()
    await subscription?.unsubscribe()
  }
  return state
}

/** The worker is registered from the first page on; in some private windows it is never installed. */
async function workerReady(): Promise<ServiceWorkerRegistration> {
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new UserFacingError('Load this page again, then try once more.')), workerMs)
  })
  return Promise.race([navigator.serviceWorker.ready, late])
}

const workerMs = 10_000

/** Whether it was made for our key: after the site was moved without its keys it was not. */
function isOurs({ options }: PushSubscription, publicKey: string): boolean {
  const key = options.applicationServerKey
  if (!key) return false
  const text = btoa(String.fromCharCode(...new Uint8Array(key)))
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '') === publicKey
}
