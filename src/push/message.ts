import { discreetTitle } from '#src/ui/discreet'
import type { Manifest } from '#src/ui/manifest'
import { urls } from '#src/urls'
import { newsWords, type PushTopic, trialWords } from './rules'

/** What the service worker is sent (islands/offline/notice.ts). Nothing in it is a title of ours or of a member's. */
export type PushMessage = { title: string; body: string; icon?: string; path: string; tag: PushTopic }

/** A message about a topic, whose press leads to `path`. Discreet, it names the site as little as a tab does. */
export function composeMessage(
  { topic, path, isDiscreet }: { topic: PushTopic; path: string; isDiscreet: boolean },
  { siteName, icons }: { siteName: string; icons: Manifest['files'] },
): PushMessage {
  const icon = icons[isDiscreet ? 'plain-192.png' : 'icon-192.png']
  return {
    title: isDiscreet ? discreetTitle : siteName,
    body: topic === 'trial' ? trialWords : newsWords,
    ...(icon && { icon: urls.asset(icon) }),
    path,
    tag: topic,
  }
}
