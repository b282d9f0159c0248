import { takePendingOperatorAction } from '#islands/member/after-sign-in'
import { startConsoleKeys } from '#islands/operator/console-keys'
import { startFigures } from '#islands/operator/refresh-figures'
import { lookSeconds, markSeen, noticeSeconds, secondsLeft } from '#islands/operator/session-time'
import { listen } from '#islands/runtime/events'
import { showDialog } from '#islands/site/show-dialog'

const nothing = async () => {}
/** Shows all keys on the current page, once its watch is mounted. */
let showKeys = nothing
// Once for each document: otherwise a new page would ignore keys until its own watch is mounted.
startConsoleKeys(() => void showKeys())

/**
 * Runs on every page of the console: watches the time left of the operator's session, refreshes figures after actions,
 * and handles keys. React is loaded only when there is something to show. It never polls the server, which would keep
 * the session open for ever.
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

  // A pending action of an earlier page must not run on this one.
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
