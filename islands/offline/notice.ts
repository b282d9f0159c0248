import type { PushEvent, WorkerScope } from '#islands/offline/worker-scope'
import { api } from '#islands/runtime/api'
import { isQuietHour, newsWords } from '#src/push/rules'
import type { PushMessage, Subscription } from '#src/push/schema'
import { discreetTitle } from '#src/ui/discreet'
import { urls } from '#src/urls'

/**
 * Shows a pushed message, since browsers require a notification for each. At night it is silent, even if it arrives
 * late.
 */
export function showNotice({ registration }: WorkerScope, data: PushEvent['data']): Promise<void> {
  const { title, body, icon, path, tag } = readMessage(data)
  const silent = isQuietHour(new Date().getHours())
  return registration.showNotification(title, { body, icon, tag, silent, data: path })
}

/**
 * Opens the page of a pressed notification: in the tab that already shows it, otherwise in a new one, so that playback
 * is not interrupted.
 */
export async function openNotice(
  { clients, location }: WorkerScope,
  notification: Pick<Notification, 'close' | 'data'>,
): Promise<void> {
  notification.close()
  const address = ownAddress(notification.data, location.origin)
  const pages = await clients.matchAll({ type: 'window', includeUncontrolled: true })
  const open = pages.find(({ url }) => url.replace(/#.*/, '') === address)
  await (open ? open.focus() : clients.openWindow(address))
}

/** Subscribes again after the browser has ended its subscription, if the member is still signed in. */
export async function renewSubscription({ registration }: WorkerScope): Promise<void> {
  const state = await api('GET /api/user/push').catch(() => null)
  if (!state) return
  const subscription = await registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: state.publicKey,
  })
  await api('POST /api/user/push', { body: subscriptionBody(subscription) })
}

/** Returns the data that the server needs about a subscription. */
export function subscriptionBody(subscription: PushSubscription): Subscription {
  const { endpoint = '', keys: { p256dh = '', auth = '' } = {} } = subscription.toJSON()
  return { endpoint, keys: { p256dh, auth }, timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone }
}

/** Ends the subscription after a sign-out, so that nothing more is shown, not even messages in transit. */
export async function dropSubscription({ registration }: WorkerScope): Promise<void> {
  await (await registration.pushManager?.getSubscription())?.unsubscribe()
}

function readMessage(data: PushEvent['data']): Partial<PushMessage> & { title: string; body: string } {
  try {
    return { title: discreetTitle, body: newsWords, ...data?.json() }
  } catch {
    return { title: discreetTitle, body: newsWords }
  }
}

/** Returns the address to open. It must belong to this site; otherwise the home page is opened. */
function ownAddress(path: unknown, origin: string): string {
  const url = URL.parse(String(path ?? ''), origin)
  return url?.origin === origin ? url.href : origin + urls.home()
}
