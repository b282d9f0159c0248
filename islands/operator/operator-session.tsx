import { useEffect, useRef, useState } from 'react'
import { takePendingOperatorAction } from '#islands/member/after-sign-in'
import { ConsoleKeys } from '#islands/operator/console-keys'
import OperatorSignIn from '#islands/operator/operator-sign-in'
import { startFigures } from '#islands/operator/refresh-figures'
import { listen } from '#islands/runtime/events'
import { operatorApi } from '#islands/runtime/operator-api'
import { giveToastsBack, takeToastsInto } from '#islands/site/toasts-in-dialog'
import { operatorIdleSeconds } from '#src/member/rules'
import { Button } from '#src/ui/button'
import { Notice } from '#src/ui/notice'

/** The notice appears this long before the end. */
const noticeSeconds = 3 * 60
const lookSeconds = 15
/** Under this name the tabs of one browser share the time of the operator's last call. */
const seenKey = 'nocturne.operator.seen'

/**
 * Warns before the operator's session ends, extends it on request, and asks for the token over the page once it has
 * ended: typed text stays. On every page of the console, with its keys. It never polls the server: that would keep the session open for ever.
 */
export default function OperatorSession({ endsAtMs }: { endsAtMs: number | null }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [end, setEnd] = useState(endsAtMs)
  const [leftSeconds, setLeft] = useState<number | null>(null)

  useEffect(() => {
    const look = () => setLeft(secondsLeft(end))
    const seen = () => {
      localStorage.setItem(seenKey, String(Date.now()))
      look()
    }
    seen()
    const timer = setInterval(look, lookSeconds * 1_000)
    const stops = [
      listen('nocturne:operator-seen', seen),
      listen('nocturne:operator-ended', () => setLeft(0)),
    ]
    return () => {
      clearInterval(timer)
      for (const stop of stops) stop()
    }
  }, [end])

  useEffect(startFigures, [])
  // That of a page before is not done on this one.
  useEffect(() => void takePendingOperatorAction(), [])

  const isOver = leftSeconds !== null && leftSeconds <= 0
  useEffect(() => {
    if (!isOver || !dialog.current || dialog.current.open) return
    dialog.current.showModal()
    takeToastsInto(dialog.current)
  }, [isOver])

  const onDone = () => {
    dialog.current?.close()
    // A new session: its absolute end is known with the next page, its idle time begins now.
    setEnd(null)
    localStorage.setItem(seenKey, String(Date.now()))
    setLeft(null)
    takePendingOperatorAction()?.()
  }

  return (
    <>
      {leftSeconds !== null && leftSeconds > 0 && leftSeconds <= noticeSeconds && (
        <Ending leftSeconds={leftSeconds} isIdle={end === null || end - Date.now() > noticeSeconds * 1_000} />
      )}
      <dialog
        ref={dialog}
        className="dialog-bare"
        aria-label="Your operator session has ended"
        onClose={giveToastsBack}
      >
        <OperatorSignIn entrance="admin" next="" onDone={onDone} />
      </dialog>
      <ConsoleKeys />
    </>
  )
}

function Ending({ leftSeconds, isIdle }: { leftSeconds: number; isIdle: boolean }) {
  const stay = (
    <Button size="sm" onClick={() => void operatorApi('GET /api/premium-content-stats').catch(() => null)}>
      Stay signed in
    </Button>
  )
  return (
    <div className="session-notice">
      <Notice kind="warn" action={isIdle ? stay : undefined}>
        Your operator session ends in {Math.ceil(leftSeconds / 60)} min.
        {!isIdle && ' What you have typed stays; you will be asked for the token again.'}
      </Notice>
    </div>
  )
}

/** Until the idle time or the session itself ends, whichever comes first; any tab's call counts. */
function secondsLeft(endsAtMs: number | null): number {
  const seenAtMs = Number(localStorage.getItem(seenKey)) || Date.now()
  const idleEndMs = seenAtMs + operatorIdleSeconds * 1_000
  return (Math.min(idleEndMs, endsAtMs ?? idleEndMs) - Date.now()) / 1_000
}
