import { useEffect, useRef, useState } from 'react'
import { takePendingOperatorAction } from '#islands/member/after-sign-in'
import { ConsoleKeysDialog } from '#islands/operator/console-keys-dialog'
import OperatorSignIn from '#islands/operator/operator-sign-in'
import { lookSeconds, markSeen, noticeSeconds, secondsLeft } from '#islands/operator/session-time'
import { listen } from '#islands/runtime/events'
import { operatorApi } from '#islands/runtime/operator-api'
import { AppearingNotice } from '#islands/site/appearing-notice'
import { showDialog } from '#islands/site/show-dialog'
import { Button } from '#src/ui/button'

/**
 * Warns before the operator's session ends, extends it on request, and asks for the token over the page once it has
 * ended, so that typed text stays. operator-watch.ts mounts it when there is something to show.
 */
export default function OperatorSession({ endsAtMs, isOver }: { endsAtMs: number | null; isOver: boolean }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [end, setEnd] = useState(endsAtMs)
  const [leftSeconds, setLeft] = useState<number | null>(isOver ? 0 : secondsLeft(endsAtMs))

  useEffect(() => {
    const look = () => setLeft(secondsLeft(end))
    const timer = setInterval(look, lookSeconds * 1_000)
    const stops = [
      // After the watch has stored the time of the call.
      listen('nocturne:operator-seen', look),
      listen('nocturne:operator-ended', () => setLeft(0)),
    ]
    return () => {
      clearInterval(timer)
      for (const stop of stops) stop()
    }
  }, [end])

  const hasEnded = leftSeconds !== null && leftSeconds <= 0
  useEffect(() => {
    if (hasEnded) showDialog(dialog.current)
  }, [hasEnded])

  const onDone = () => {
    dialog.current?.close()
    // A new session has started. Its absolute end is known with the next page; its idle time starts now.
    setEnd(null)
    markSeen()
    setLeft(null)
    takePendingOperatorAction()?.()
  }

  return (
    <>
      {leftSeconds !== null && leftSeconds > 0 && leftSeconds <= noticeSeconds && (
        <Ending leftSeconds={leftSeconds} isIdle={end === null || end - Date.now() > noticeSeconds * 1_000} />
      )}
      <dialog ref={dialog} className="dialog-bare" aria-label="Your operator session has ended">
        <OperatorSignIn entrance="admin" next="" onDone={onDone} />
      </dialog>
      <ConsoleKeysDialog />
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
      <AppearingNotice
        kind="warn"
        action={isIdle ? stay : undefined}
        words={`Your operator session ends in ${Math.ceil(leftSeconds / 60)} min.${
          isIdle ? '' : ' What you have typed stays; you will be asked for the token again.'
        }`}
      />
    </div>
  )
}
