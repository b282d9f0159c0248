import { useEffect, useRef, useState } from 'react'

import { listen } from '#islands/events'
import { operatorCall } from '#islands/operator-call'
import OperatorSignIn from '#islands/operator-sign-in'
import { giveToastsBack, takeToastsInto } from '#islands/toasts-in-dialog'
import { operatorIdleSeconds } from '#src/member/rules'
import { Button } from '#src/ui/button'
import { Notice } from '#src/ui/notice'
import { urls } from '#src/urls'

/** The notice stands this long before the end. */
const noticeSeconds = 3 * 60
const lookSeconds = 15
/** Under this name the tabs of one browser share when the server last heard of the operator. */
const seenKey = 'nocturne.operator.seen'

/**
 * Says when the operator's session is about to end, keeps it on request, and asks for the token over the page
 * once it has ended: what was typed stays where it is. It never asks the server: that would keep the session
 * for ever.
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

  const isOver = leftSeconds !== null && leftSeconds <= 0
  useEffect(() => {
    if (!isOver || !dialog.current || dialog.current.open) return
    dialog.current.showModal()
    takeToastsInto(dialog.current)
  }, [isOver])

  const onDone = () => {
    dialog.current?.close()
    // A new session: its own end is a page away, its idle time begins now.
    setEnd(null)
    localStorage.setItem(seenKey, String(Date.now()))
    setLeft(null)
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
        <OperatorSignIn door="admin" next="" onDone={onDone} />
      </dialog>
    </>
  )
}

function Ending({ leftSeconds, isIdle }: { leftSeconds: number; isIdle: boolean }) {
  const stay = (
    <Button size="sm" onClick={() => void operatorCall(urls.apiPremiumStats()).catch(() => null)}>
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

/** Until the idle time or the session itself is over, whichever comes first; any tab's call counts. */
function secondsLeft(endsAtMs: number | null): number {
  const seenAtMs = Number(localStorage.getItem(seenKey)) || Date.now()
  const idleEndMs = seenAtMs + operatorIdleSeconds * 1_000
  return (Math.min(idleEndMs, endsAtMs ?? idleEndMs) - Date.now()) / 1_000
}
