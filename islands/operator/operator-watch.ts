import { takePendingOperatorAction } from '#islands/member/after-sign-in'
import { startConsoleKeys } from '#islands/operator/console-keys'
import { startFigures } from '#islands/operator/refresh-figures'
import { lookSeconds, markSeen, noticeSeconds, secondsLeft } from '#islands/operator/session-time'
import { listen } from '#islands/runtime/events'
import { showDialog } from '#islands/site/show-dialog'

const nothing = async () => {}
/** Shows all keys on the page that is there, once it can. */
let showKeys = nothing
// Once a document: a page that has just been put in place would hear no key until its own watch is mounted.
startConsoleKeys(() => void showKeys())

/**
 * What every page of the console does by itself: it watches how long the operator's session lasts, refreshes figures
 * after acts and follows keys. React comes when there is something to show. It never polls the server: that would
 * keep the session open for ever.
 */
export function mount(host: Element, { endsAtMs }: { endsAtMs: number | null }): () => void {
  let shown: Promise<() => void> | null = null
  const show = (isOver = false) => {
    shown ??= showSession(host, { endsAtMs, isOver })
    return shown
  }
  const look = () => void (secondsLeft(endsAtMs) <= noticeSeconds && show())
  showKeys = async () => {
    await show()
    showDialog(document.querySelector('#console-keys'))
  }

  // An action of a page before is not done on this one.
  takePendingOperatorAction()
  markSeen()
  look()
  const timer = setInterval(look, lookSeconds * 1_000)
  const stops = [
    listen('nocturne:operator-seen', markSeen),
    listen('nocturne:operator-ended', () => void show(true)),
    startFigures(),
  ]
  return () => {
    showKeys = nothing
    clearInterval(timer)
    for (const stop of stops) stop()
    void shown?.then((unmount) => unmount())
  }
}

async function showSession(
  host: Element,
  props: { endsAtMs: number | null; isOver: boolean },
): Promise<() => void> {
  const [{ default: OperatorSession }, { mountIsland }] = await Promise.all([
    import('#islands/operator/operator-session'),
    import('#islands/runtime/mount-island'),
  ])
  return mountIsland(OperatorSession, host, props, 'operator-session-')
}
