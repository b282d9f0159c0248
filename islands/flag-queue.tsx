import { useRef, useState } from 'react'
import { type Asked, DecisionDialog } from '#islands/decision-dialog'
import { emit } from '#islands/events'
import { failureWords, operatorCall } from '#islands/operator-call'
import { takeToastsInto } from '#islands/toasts-in-dialog'
import { type Choice, FlagRow, settleFlags } from '#src/moderation/flag-row'
import type { FlagState } from '#src/moderation/rules'
import type { ContentFlag } from '#src/moderation/schema'
import { urls } from '#src/urls'

export type FlagQueueProps = {
  flags: ContentFlag[]
  /** What the list is of: decided reports leave one of those that wait. */
  state: FlagState
  /** How many there are in all, where that is known. */
  count: number | null
  /** When they were read, in milliseconds since 1970. */
  at: number
}

const doneWords: Record<Choice, string> = {
  review: 'In review',
  approve: 'Content approved',
  remove: 'Content removed',
  restore: 'Content restored',
}

/** Reports as a page of their own. */
export default function FlagQueue(props: FlagQueueProps) {
  const [shown, setShown] = useState({ flags: props.flags, count: props.count })
  const change = (flags: ContentFlag[]) =>
    setShown(({ flags: before, count }) => ({
      flags,
      count: count === null ? null : count - (before.length - flags.length),
    }))
  return <FlagList {...props} {...shown} onChange={change} />
}

/** Reports with what can be done about them: reviewed at a press, the rest asked for once more. */
export function FlagList({
  flags,
  state,
  count,
  at,
  onChange,
}: FlagQueueProps & { onChange: (flags: ContentFlag[]) => void }) {
  const heading = useRef<HTMLHeadingElement>(null)
  const dialog = useRef<HTMLDialogElement>(null)
  const [asked, setAsked] = useState<Asked | null>(null)
  const [busy, setBusy] = useState<string | null>(null)
  const [failure, setFailure] = useState<string | null>(null)

  const choose = (flag: ContentFlag, choice: Choice) => {
    if (choice === 'review') return void decide(flag, choice, '')
    setFailure(null)
    setAsked({ flag, choice })
    if (!dialog.current) return
    dialog.current.showModal()
    takeToastsInto(dialog.current)
  }
  const decide = async (flag: ContentFlag, choice: Choice, notes: string) => {
    setBusy(flag.id)
    setFailure(null)
    try {
      const answer = await operatorCall(urls.apiContentFlag(flag.id), {
        method: 'PATCH',
        body: {
          moderatorAction: choice === 'restore' ? 'approve' : choice,
          ...(notes && { moderatorNotes: notes }),
        },
      })
      const settled = settleFlags(flags, answer as ContentFlag)
      dialog.current?.close()
      setAsked(null)
      onChange(state === 'pending' ? settled.filter(({ resolvedAt }) => resolvedAt === null) : settled)
      // The button that was pressed is gone.
      heading.current?.focus()
      emit('nocturne:toast', { title: doneWords[choice], description: flag.item.title })
    } catch (error) {
      const description = failureWords(error, 'Please try again')
      setFailure(description)
      emit('nocturne:toast', { kind: 'bad', title: 'Error', description })
    } finally {
      setBusy(null)
    }
  }

  return (
    <section className="panel panel-flush" aria-labelledby="flags">
      <div className="panel-head plan-head">
        <h2 id="flags" ref={heading} tabIndex={-1}>
          Reports {count !== null && <span className="meta">{count}</span>}
        </h2>
      </div>
      {flags.length === 0 && (
        <p className="plan-head lead">
          {state === 'pending' ? 'Nothing waits for a decision.' : 'Nothing here yet.'}
        </p>
      )}
      {flags.map((flag) => (
        <FlagRow
          key={flag.id}
          flag={flag}
          now={at}
          isBusy={busy !== null}
          onChoose={(choice) => choose(flag, choice)}
        />
      ))}
      <DecisionDialog
        ref={dialog}
        asked={asked}
        failure={failure}
        isBusy={busy !== null}
        onDecide={({ flag, choice }, notes) => void decide(flag, choice, notes)}
      />
    </section>
  )
}
