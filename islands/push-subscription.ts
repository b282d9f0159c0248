import { apiCall, SaidError } from '#islands/api-call'
import { subscriptionBody } from '#islands/offline/notice'
import type { PushStanding } from '#src/push/push-rows'
import type { PushState } from '#src/push/schema'
import { urls } from '#src/urls'

/** How notifications stand in this browser. Asks the person nothing. */
export async function findStanding({ publicKey, isOn, devices }: PushState): Promise<PushStanding> {
  if (!isSecureContext) return 'insecure'
  // Safari on an iPhone has them in apps of the home screen alone.
  if (!('PushManager' in window && 'Notification' in window && 'serviceWorker' in navigator))
    return 'standalone' in navigator && !navigator.standalone ? 'not-installed' : 'unable'
  if (Notification.permission === 'denied') return 'blocked'
  const registration = await navigator.serviceWorker.getRegistration()
  const subscription = await registration?.pushManager.getSubscription()
  const isKnown = isOn && devices.some(({ isCurrent }) => isCurrent)
  const isWhole = Notification.permission === 'granted' && subscription && isOurs(subscription, publicKey)
  return isKnown && isWhole ? 'on' : 'off'
}

/** Asks the person, then the browser, then tells the server. Throws a SaidError where one of them does not want to. */
export async function turnPushOn(publicKey: string): Promise<PushState> {
  // First of all: some browsers ask only right after a press.
  const permission = await Notification.requestPermission()
  if (permission === 'denied') throw new SaidError('Your browser does not allow it.')
  if (permission !== 'granted') throw new SaidError('Nothing was chosen, so nothing changes.')
  const { pushManager } = await workerReady()
  const last = await pushManager.getSubscription()
  if (last && !isOurs(last, publicKey)) await last.unsubscribe()
  const subscription = await pushManager
    .subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
    .catch(() => {
      throw new SaidError('Your browser did not reach its push service, or has it switched off.')
    })
  const body = subscriptionBody(subscription)
  return (await apiCall(urls.apiPush(), { method: 'POST', body })) as PushState
}

/** Ends a browser's notifications; those of this one in the browser, too. */
export async function turnPushOff({ id, isCurrent }: { id: string; isCurrent: boolean }): Promise<PushState> {
  const state = (await apiCall(urls.apiPushDevice(id), { method: 'DELETE', body: {} })) as PushState
  if (isCurrent) {
    const registration = await navigator.serviceWorker?.getRegistration()
    const subscription = await registration?.pushManager?.getSubscription()
    await subscription?.unsubscribe()
  }
  return state
}

/** The worker is on its way from the first page on; in some private windows it never comes. */
async function workerReady(): Promise<ServiceWorkerRegistration> {
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new SaidError('Load this page again, then try once more.')), workerMs)
  })
  return Promise.race([navigator.serviceWorker.ready, late])
}

const workerMs = 10_000

/** Made for our key: after a move of the site without its keys it is not. */
function isOurs({ options }: PushSubscription, publicKey: string): boolean {
  const key = options.applicationServerKey
  if (!key) return false
  const text = btoa(String.fromCharCode(...new Uint8Array(key)))
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '') === publicKey
}
