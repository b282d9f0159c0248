import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { reload } from '#islands/navigation/visit'
import { emit } from '#islands/runtime/events'
import { operatorApi } from '#islands/runtime/operator-api'
import { orToast } from '#islands/runtime/or-toast'
import { SelectionBar, useSelection } from '#islands/runtime/use-selection'
import { useSubmit } from '#islands/runtime/use-submit'
import { showDialog } from '#islands/site/show-dialog'
import type { Reason } from '#src/selection/rules'
import { pluralize } from '#src/text/pluralize'
import { Button } from '#src/ui/button'
import { Dialog } from '#src/ui/dialog'
import { Notice } from '#src/ui/notice'
import { TextArea } from '#src/ui/text-area'

type Outcome = {
  changed: number
  items: readonly { id: string; title: string; before: string; after: string }[]
  changeId: string | null
}
/** The selected rows: ids, or null for all that match the list's filter. */
type Chosen = readonly string[] | null

export type SelectionAction<T extends Outcome> = {
  button: string
  done: string
  isDangerous?: boolean
  reason?: Reason
  plan: (chosen: Chosen) => Promise<T>
  apply: (chosen: Chosen, reason: string) => Promise<T>
  words: (outcome: T) => string
}

type Planned<T extends Outcome> = { action: SelectionAction<T>; chosen: Chosen; plan: T }

/** The selection boxes of the rows, in the page's order. They are part of the page, not of this island. */
const listBoxes = () => [...document.querySelectorAll<HTMLInputElement>('[data-pick-row] input[data-pick]')]

/**
 * Returns the rows whose boxes are ticked already, by the browser restoring the page or by a press before this code was
 * loaded.
 */
const listTicked = () =>
  listBoxes()
    .filter(({ checked }) => checked)
    .map(({ value }) => value)

/**
 * Bulk actions on rows of a list, selected by hand or by the filter. A change is planned, confirmed, applied, and can
 * be undone.
 */
export function ManySelection<T extends Outcome>({
  noun,
  total,
  actions,
}: {
  noun: string
  /** How many rows match the list's filter. */
  total: number
  actions: readonly SelectionAction<T>[]
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [planned, setPlanned] = useState<Planned<T> | null>(null)
  const { chosen, isAll, chooseAll, forget } = useChosenRows()
  const { isBusy, problem, submit } = useSubmit({ title: 'Error', otherwise: 'Please try again' })

  const plan = (action: SelectionAction<T>) =>
    submit(async () => {
      const those = isAll ? null : [...chosen]
      setPlanned({ action, chosen: those, plan: await action.plan(those) })
      showDialog(dialog.current)
    })
  const apply = ({ action, chosen: those }: Planned<T>, reason: string) =>
    submit(async () => {
      const done = await action.apply(those, reason)
      dialog.current?.close()
      forget()
      showDone(action, done)
      await reload()
    })

  return (
    <>
      <SelectionBar count={isAll ? total : chosen.size} noun={noun} onClear={forget}>
        {!isAll && total > chosen.size && (
          <Button kind="ghost" size="sm" onClick={chooseAll}>
            Select all {total.toLocaleString('en')}
          </Button>
        )}
        {actions.map((action) => (
          <Button
            key={action.button}
            kind={action.isDangerous ? 'danger' : undefined}
            size="sm"
            isBusy={isBusy}
            onClick={() => void plan(action)}
          >
            {action.button}
          </Button>
        ))}
      </SelectionBar>
      <Dialog
        id="plan-many"
        ref={dialog}
        title={planned?.action.button ?? 'Plan'}
        words={planned && `${planned.action.words(planned.plan)}.`}
        width="narrow"
      >
        {planned && (
          <PlanForm
            planned={planned}
            noun={noun}
            isBusy={isBusy}
            onApply={(reason) => void apply(planned, reason)}
          >
            {problem && <Notice kind="bad">{problem.message}</Notice>}
          </PlanForm>
        )}
      </Dialog>
    </>
  )
}

/** Keeps the boxes of the page in sync with the selection. */
function useChosenRows() {
  const [isAll, setAll] = useState(false)
  const listIds = () => listBoxes().map(({ value }) => value)
  const { chosen, pick, clear } = useSelection(listIds, listTicked)
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
  return { chosen, isAll, chooseAll: () => setAll(true), forget }
}

function PlanForm<T extends Outcome>({
  planned: { action, plan },
  noun,
  isBusy,
  onApply,
  children,
}: {
  planned: Planned<T>
  noun: string
  isBusy: boolean
  onApply: (reason: string) => void
  children: ReactNode
}) {
  const [reason, setReason] = useState('')
  return (
    <>
      {children}
      <PlannedRows plan={plan} noun={noun} />
      {action.reason && (
        <TextArea
          label={action.reason.label}
          look="short"
          maxLength={action.reason.charactersMax}
          value={reason}
          onChange={({ target }) => setReason(target.value)}
        />
      )}
      <div className="btn-row btn-row-end">
        <Button kind="ghost" onClick={(event) => event.currentTarget.closest('dialog')?.close()}>
          Cancel
        </Button>
        <Button
          kind={action.isDangerous ? 'danger' : 'primary'}
          isBusy={isBusy}
          disabled={plan.changed === 0}
          onClick={() => onApply(reason)}
        >
          {`${action.button}: ${pluralize(plan.changed, noun)}`}
        </Button>
      </div>
    </>
  )
}

/** The first rows of a plan, each with its state before and after. */
function PlannedRows({ plan: { items, changed }, noun }: { plan: Outcome; noun: string }) {
  if (items.length === 0) return null
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
    <section className="places" aria-label="What would change" tabIndex={0}>
      {items.map(({ id, title, before, after }) => (
        <p key={id}>
          <b dir="auto">{title}</b>: {before} → {after}
        </p>
      ))}
      {changed > items.length && <p>and {pluralize(changed - items.length, noun)} more</p>}
    </section>
  )
}

function showDone<T extends Outcome>(action: SelectionAction<T>, done: T): void {
  const { changeId } = done
  emit('nocturne:toast', {
    kind: 'good',
    title: `${action.done}: ${action.words(done)}`,
    ...(changeId !== null && { undo: () => void undo(changeId) }),
  })
}

async function undo(id: string): Promise<void> {
  const isUndone = await orToast(() => operatorApi('POST /api/changes/:id/undo', { path: { id } }), {
    title: 'Error',
    otherwise: 'Please try again',
  })
  if (!isUndone) return
  emit('nocturne:toast', { kind: 'good', title: 'Undone' })
  await reload()
}
