import { discreetTitle } from '#src/ui/discreet'
import type { Manifest } from '#src/ui/manifest'
import { urls } from '#src/urls'
import { newsWords, type PushTopic, trialWords } from './rules'
import type { PushMessage } from './schema'

/** A message about a topic, which opens `path` when pressed. In discreet mode it hides the site's name, as tabs do. */
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
