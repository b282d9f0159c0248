import type { WorkerScope } from '#islands/offline/worker-scope'
import type { PushMessage } from '#src/push/message'
import { isQuietHour, newsWords } from '#src/push/rules'
import type { PushState } from '#src/push/schema'
import { discreetTitle } from '#src/ui/discreet'
import { urls } from '#src/urls'

/** Shows what was pushed: browsers want something shown each time. At night it makes no sound, however late it came. */
export function showNotice({ registration }: WorkerScope, data: { json(): unknown } | null): Promise<void> {
  const { title, body, icon, path, tag } = readMessage(data)
  const silent = isQuietHour(new Date().getHours())
  return registration.showNotification(title, { body, icon, tag, silent, data: path })
}

/** A press leads to its page: to the one that is open there, else to a new one, so that nothing that plays ends. */
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

/** The browser has ended its subscription: it is given a new one, if its member is still signed in. */
export async function renewSubscription({ registration }: WorkerScope): Promise<void> {
  const answer = await fetch(urls.apiPush(), { headers: { accept: 'application/json' } })
  if (!answer.ok) return
  const { publicKey }: PushState = await answer.json()
  const subscription = await registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: publicKey,
  })
  await fetch(urls.apiPush(), {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(subscriptionBody(subscription)),
  })
}

/** What the server keeps of a subscription. */
export function subscriptionBody(subscription: PushSubscription): object {
  return { ...subscription.toJSON(), timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone }
}

/** Who has signed out gets nothing any longer, not even what is on its way. */
export async function dropSubscription({ registration }: WorkerScope): Promise<void> {
  await (await registration.pushManager?.getSubscription())?.unsubscribe()
}

function readMessage(
  data: { json(): unknown } | null,
): Partial<PushMessage> & { title: string; body: string } {
  try {
    return { title: discreetTitle, body: newsWords, ...(data?.json() as PushMessage | null) }
  } catch {
    return { title: discreetTitle, body: newsWords }
  }
}

/** Only pages of this site. */
function ownAddress(path: unknown, origin: string): string {
  const url = URL.parse(String(path ?? ''), origin)
  return url?.origin === origin ? url.href : origin + urls.home()
}
