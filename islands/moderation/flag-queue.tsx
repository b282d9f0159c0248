import { useRef, useState } from 'react'
import { DecisionDialog, type DecisionRequest } from '#islands/moderation/decision-dialog'
import { emit } from '#islands/runtime/events'
import { operatorApi } from '#islands/runtime/operator-api'
import { useSubmit } from '#islands/runtime/use-submit'
import { showDialog } from '#islands/site/show-dialog'
import { applyDecision, type Choice, FlagRow } from '#src/moderation/flag-row'
import type { FlagState } from '#src/moderation/rules'
import type { ContentFlag } from '#src/moderation/schema'
import { NothingHere } from '#src/ui/console/nothing-here'

export type FlagQueueProps = {
  flags: ContentFlag[]
  /** The filter of the list: decided reports leave a list of those that wait. */
  state: FlagState
  /** The total number, where it is known. */
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
  return <FlagList {...props} {...shown} isPickable onChange={change} />
}

/** Reports with their actions: "review" acts at a press, the others ask for confirmation. */
export function FlagList({
  flags,
  state,
  count,
  at,
  isPickable,
  onChange,
}: FlagQueueProps & { isPickable?: boolean; onChange: (flags: ContentFlag[]) => void }) {
  const heading = useRef<HTMLHeadingElement>(null)
  const dialog = useRef<HTMLDialogElement>(null)
  const [asked, setAsked] = useState<DecisionRequest | null>(null)
  const { isBusy, problem, setProblem, submit } = useSubmit({ title: 'Error', otherwise: 'Please try again' })

  const choose = (flag: ContentFlag, choice: Choice) => {
    if (choice === 'review') return void decide(flag, choice, '')
    setProblem(null)
    setAsked({ flag, choice })
    showDialog(dialog.current)
  }
  const decide = (flag: ContentFlag, choice: Choice, notes: string) =>
    submit(async () => {
      const decided = await operatorApi('PATCH /api/content-flags/:id', {
        path: { id: flag.id },
        body: {
          moderatorAction: choice === 'restore' ? 'approve' : choice,
          ...(notes && { moderatorNotes: notes }),
        },
      })
      const changed = applyDecision(flags, decided)
      dialog.current?.close()
      setAsked(null)
      onChange(state === 'pending' ? changed.filter(({ resolvedAt }) => resolvedAt === null) : changed)
      // The button that was pressed is gone.
      heading.current?.focus()
      emit('nocturne:toast', { title: doneWords[choice], description: flag.item.title })
    })

  return (
    <section className="panel panel-flush" aria-labelledby="flags">
      <div className="panel-head plan-head">
        <h2 id="flags" ref={heading} tabIndex={-1}>
          Reports {count !== null && <span className="meta">{count}</span>}
        </h2>
      </div>
      {flags.length === 0 && (
        <NothingHere>
          {state === 'pending' ? 'Nothing waits for a decision.' : 'Nothing here yet.'} What is reported comes
          here.
        </NothingHere>
      )}
      {flags.map((flag) => (
        <FlagRow
          key={flag.id}
          flag={flag}
          now={at}
          isBusy={isBusy}
          isPickable={isPickable}
          onChoose={(choice) => choose(flag, choice)}
        />
      ))}
      <DecisionDialog
        ref={dialog}
        request={asked}
        failure={problem?.message ?? null}
        isBusy={isBusy}
        onDecide={({ flag, choice }, notes) => void decide(flag, choice, notes)}
      />
    </section>
  )
}
