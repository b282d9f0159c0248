import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { reload } from '#islands/navigation/visit'
import { emit } from '#islands/runtime/events'
import { operatorApi } from '#islands/runtime/operator-api'
import { SelectionBar, useSelection } from '#islands/runtime/use-selection'
import { useSubmit } from '#islands/runtime/use-submit'
import { giveToastsBack, takeToastsInto } from '#islands/site/toasts-in-dialog'
import { type ManyChange, manyChanges } from '#src/library/change-many-rules'
import type { ManyItems, ManyOutcome } from '#src/library/change-many-schema'
import { changeWords, outcomeWords } from '#src/library/change-many-words'
import { pluralize } from '#src/text/pluralize'
import { Button } from '#src/ui/button'
import { Dialog } from '#src/ui/dialog'
import { Notice } from '#src/ui/notice'

type Filter = NonNullable<ManyItems['filter']>
type Planned = { wanted: ManyItems; plan: ManyOutcome }

/** The boxes on the cards stand in the page; the order of their items is that of the page. */
const listBoxes = () => [...document.querySelectorAll<HTMLInputElement>('[data-pick-row] input[data-pick]')]

/** A selection of the library, by hand or all that match: planned, changed, undone. */
export default function LibrarySelection({ filter, total }: { filter: Filter; total: number }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [isAll, setAll] = useState(false)
  const [planned, setPlanned] = useState<Planned | null>(null)
  const { chosen, pick, clear } = useSelection(() => listBoxes().map(({ value }) => value))
  const { isBusy, problem, submit } = useSubmit({ title: 'Error', otherwise: 'Please try again' })

  const onClick = useEffectEvent(({ target, shiftKey }: MouseEvent) => {
    if (!(target instanceof HTMLInputElement) || target.dataset.pick === undefined) return
    setAll(false)
    pick(target.value, { isChosen: target.checked, isRange: shiftKey })
  })
  useEffect(() => {
    document.addEventListener('click', onClick)
    return () => document.removeEventListener('click', onClick)
  }, [])
  useEffect(() => {
    for (const box of listBoxes()) box.checked = isAll || chosen.has(box.value)
  }, [chosen, isAll])

  const forget = () => {
    clear()
    setAll(false)
  }
  const plan = (change: ManyChange) =>
    submit(async () => {
      const wanted = isAll ? { change, filter } : { change, ids: [...chosen] }
      const query = { dryRun: 'true' } as const
      setPlanned({ wanted, plan: await operatorApi('PATCH /api/premium-content', { body: wanted, query }) })
      dialog.current?.showModal()
      if (dialog.current) takeToastsInto(dialog.current)
    })
  const apply = ({ wanted }: Planned) =>
    submit(async () => {
      const done = await operatorApi('PATCH /api/premium-content', { body: wanted })
      dialog.current?.close()
      forget()
      showDone(done, wanted.change)
      await reload()
    })

  const count = isAll ? total : chosen.size
  return (
    <>
      <SelectionBar count={count} noun="item" onClear={forget}>
        {!isAll && total > chosen.size && (
          <Button kind="ghost" size="sm" onClick={() => setAll(true)}>
            Select all {total.toLocaleString('en')}
          </Button>
        )}
        {manyChanges.map((change) => (
          <Button
            key={change}
            kind={change === 'remove' ? 'danger' : undefined}
            size="sm"
            disabled={isBusy}
            onClick={() => void plan(change)}
          >
            {changeWords[change].button}
          </Button>
        ))}
      </SelectionBar>
      <Dialog
        id="plan-many"
        ref={dialog}
        title={planned ? changeWords[planned.wanted.change].button : 'Plan'}
        words={planned && `${outcomeWords(planned.plan, planned.wanted.change)}.`}
        width="narrow"
        onClose={giveToastsBack}
      >
        {problem && <Notice kind="bad">{problem.message}</Notice>}
        {planned && <PlannedItems plan={planned.plan} />}
        <div className="btn-row btn-row-end">
          <Button kind="ghost" onClick={() => dialog.current?.close()}>
            Cancel
          </Button>
          <Button
            kind={planned?.wanted.change === 'remove' ? 'danger' : 'primary'}
            disabled={isBusy || planned?.plan.changed === 0}
            onClick={() => planned && void apply(planned)}
          >
            {planned &&
              `${changeWords[planned.wanted.change].button}: ${pluralize(planned.plan.changed, 'item')}`}
          </Button>
        </div>
      </Dialog>
    </>
  )
}

/** The first items, each with where it stands and where it goes. */
function PlannedItems({ plan: { items, changed } }: { plan: ManyOutcome }) {
  if (items.length === 0) return null
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
    <section className="places" aria-label="What would change" tabIndex={0}>
      {items.map(({ id, title, before, after }) => (
        <p key={id}>
          <b dir="auto">{title}</b>: {before} → {after}
        </p>
      ))}
      {changed > items.length && <p>and {pluralize(changed - items.length, 'item')} more</p>}
    </section>
  )
}

function showDone(done: ManyOutcome, change: ManyChange): void {
  const { changeId } = done
  const undo = async () => {
    await operatorApi('POST /api/premium-content/changes/:id/undo', { path: { id: changeId ?? '' } })
    emit('nocturne:toast', { kind: 'good', title: 'Undone' })
    await reload()
  }
  emit('nocturne:toast', {
    kind: 'good',
    title: `${changeWords[change].done}: ${outcomeWords(done, change)}`,
    ...(changeId !== null && { undo: () => void undo() }),
  })
}
