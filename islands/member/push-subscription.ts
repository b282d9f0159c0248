import { subscriptionBody } from '#islands/offline/notice'
import { api } from '#islands/runtime/api'
import { UserFacingError } from '#islands/runtime/api-error'
import type { PushSwitchState } from '#src/push/push-rows'
import type { PushState } from '#src/push/schema'

/** Returns the state of notifications in this browser, without a prompt. */
export async function findSwitchState({ publicKey, isOn, devices }: PushState): Promise<PushSwitchState> {
  if (!isSecureContext) return 'insecure'
  // Safari on an iPhone supports notifications only in apps on the home screen.
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
 * Asks the person for permission, subscribes the browser, and registers the subscription with the server. Throws a
 * UserFacingError if any of these is refused.
 */
export async function turnPushOn(publicKey: string): Promise<PushState> {
  // This comes first, because some browsers prompt only right after a press.
  const permission = await Notification.requestPermission()
  if (permission === 'denied') throw new UserFacingError('Your browser does not allow it.')
  if (permission !== 'granted') throw new UserFacingError('You did not choose, so nothing changed.')
  const { pushManager } = await workerReady()
  const last = await pushManager.getSubscription()
  if (last && !isOurs(last, publicKey)) await last.unsubscribe()
  const subscription = await pushManager
    .subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
    .catch(() => {
      throw new UserFacingError('Your browser could not reach its push service, or has it turned off.')
    })
  return api('POST /api/user/push', { body: subscriptionBody(subscription) })
}

/** Ends the notifications of a browser on the server. If it is this one, its subscription is ended too. */
export async function turnPushOff({ id, isCurrent }: { id: string; isCurrent: boolean }): Promise<PushState> {
  const state = await api('DELETE /api/user/push/:id', { path: { id } })
  if (isCurrent) {
    const registration = await navigator.serviceWorker?.getRegistration()
    const subscription = await registration?.pushManager?.getSubscription()
    await subscription?.unsubscribe()
  }
  return state
}

/**
 * Resolves with the service worker's registration. It is registered on the first page, but in some private windows it
 * is never installed, so this times out.
 */
async function workerReady(): Promise<ServiceWorkerRegistration> {
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new UserFacingError('Reload this page, then try again.')), workerMs)
  })
  return Promise.race([navigator.serviceWorker.ready, late])
}

const workerMs = 10_000

/** Whether a subscription was made for our key. It was not if the site has been moved without its keys. */
function isOurs({ options }: PushSubscription, publicKey: string): boolean {
  const key = options.applicationServerKey
  if (!key) return false
  const text = btoa(String.fromCharCode(...new Uint8Array(key)))
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '') === publicKey
}
