import { useRef, useState } from 'react'
import { itemWords } from '#islands/guideline/guideline-preview'
import { HeldRow } from '#islands/review/held-row'
import { RefuseDialog, type Scope } from '#islands/review/refuse-dialog'
import { type Query, type Queue, useHeldQueue } from '#islands/review/use-held-queue'
import { type Selection, SelectionBar, useSelection } from '#islands/runtime/use-selection'
import { showDialog } from '#islands/site/show-dialog'
import { consoleUrls } from '#src/console-urls'
import { isOfRule, noRule } from '#src/guideline/rules'
import { SeverityBadge } from '#src/guideline/severity-badge'
import type { HeldItem, HoldGroup, Review } from '#src/review/schema'
import { Button } from '#src/ui/button'
import { NothingHere } from '#src/ui/console/nothing-here'

/**
 * The held items, grouped by cause. They are approved or refused one by one, as a selection, by rule, or all at once.
 */
export default function HeldQueue(props: Queue & { query: Query }) {
  const heading = useRef<HTMLHeadingElement>(null)
  const dialog = useRef<HTMLDialogElement>(null)
  const [refused, setRefused] = useState<Scope | null>(null)
  const { queue, isBusy, reviewOne, reviewMany } = useHeldQueue(props, () => {
    selection.clear()
    heading.current?.focus()
  })
  const { items, groups, total } = queue
  const shown = groupItems(items, ofRule(groups, props.query))
  const selection = useSelection(() => shown.flatMap(({ items: those }) => those.map(({ id }) => id)))
  const chosen = [...selection.chosen]
  const askRefusal = (scope: Scope) => {
    setRefused(scope)
    showDialog(dialog.current)
  }
  const ofSelection: Scope = {
    which: { ids: chosen, readAt: lastChange(items.filter(({ id }) => selection.chosen.has(id))) },
    count: chosen.length,
  }

  return (
    <>
      <section className="panel panel-flush" aria-labelledby="held">
        <div className="panel-head plan-head">
          <h2 id="held" ref={heading} tabIndex={-1}>
            Held for review <span className="meta">{total.toLocaleString('en')}</span>
          </h2>
        </div>
        {items.length === 0 && (
          <NothingHere>Nothing is waiting for a decision. Texts held by a guideline appear here.</NothingHere>
        )}
        {shown.map(({ group, items: those }) => (
          <Group
            key={group.ruleId}
            group={group}
            isAlone={props.query.ruleId !== undefined}
            items={those}
            selection={selection}
            isBusy={isBusy}
            onReview={(item, review) => void reviewOne(item, review)}
            onApprove={(scope) => void reviewMany(scope, { decision: 'approve' })}
            onRefuse={askRefusal}
          />
        ))}
      </section>
      <SelectionBar count={chosen.length} noun="item" onClear={selection.clear}>
        <Button
          kind="primary"
          size="sm"
          isBusy={isBusy}
          onClick={() => void reviewMany(ofSelection, { decision: 'approve' })}
        >
          Approve selected
        </Button>
        <Button kind="danger" size="sm" isBusy={isBusy} onClick={() => askRefusal(ofSelection)}>
          Refuse selected
        </Button>
      </SelectionBar>
      <RefuseDialog
        ref={dialog}
        scope={refused}
        onRefuse={(scope, reason) =>
          void reviewMany(scope, { decision: 'refuse', ...(reason && { reason }) })
        }
      />
    </>
  )
}

type GroupProps = {
  group: HoldGroup
  /** Whether only this group is shown. */
  isAlone: boolean
  items: HeldItem[]
  selection: Selection
  isBusy: boolean
  onApprove: (scope: Scope) => void
  onRefuse: (scope: Scope) => void
}

function Group({ onReview, ...props }: GroupProps & { onReview: (item: HeldItem, review: Review) => void }) {
  const { group, items, selection, isBusy } = props
  return (
    <section className="held-group" aria-labelledby={`held-${group.ruleId}`}>
      <GroupHead {...props} />
      {items.map((item) => (
        <HeldRow
          key={item.id}
          item={item}
          ruleId={group.ruleId}
          isBusy={isBusy}
          selection={selection}
          onReview={(review) => onReview(item, review)}
        />
      ))}
    </section>
  )
}

function GroupHead({ group, isAlone, items, selection, isBusy, onApprove, onRefuse }: GroupProps) {
  const { ruleId, description, severity, held } = group
  const ids = items.map(({ id }) => id)
  // If the group has items that are not shown, the decision includes items that the operator has not read.
  const readAt = held > items.length ? undefined : lastChange(items)
  const scope: Scope = { which: { ruleId, readAt }, count: held }
  const isRule = isOfRule(ruleId) && ruleId !== noRule
  const all = isRule ? 'all by this rule' : 'all of these'
  const isWhole = ids.every((id) => selection.chosen.has(id))
  return (
    <div className="held-head">
      <label className="held-pick">
        <input
          type="checkbox"
          aria-label={`Select the ${items.length} shown here: ${description}`}
          checked={isWhole}
          onChange={() => selection.choose(ids, { isChosen: !isWhole })}
        />
      </label>
      <div className="row-words">
        <h3 id={`held-${ruleId}`}>{description}</h3>
        <div className="meta-row">
          {isRule && (
            <span>
              <SeverityBadge severity={severity} />
            </span>
          )}
          <span>{itemWords(held)}</span>
          {held > items.length && !isAlone && (
            <a href={consoleUrls.training({ tab: 'held', rule: ruleId })}>Show all of them</a>
          )}
        </div>
      </div>
      <div className="btn-row">
        <Button
          size="sm"
          isBusy={isBusy}
          aria-label={`Approve ${all}: ${description}`}
          onClick={() => onApprove(scope)}
        >
          Approve {all}
        </Button>
        <Button
          kind="danger"
          size="sm"
          isBusy={isBusy}
          aria-label={`Refuse ${all}: ${description}`}
          onClick={() => onRefuse(scope)}
        >
          Refuse all
        </Button>
      </div>
    </div>
  )
}

/**
 * Returns the latest change of the shown items. The server uses it to detect changes that the operator has not read.
 */
function lastChange(items: readonly HeldItem[]): string | undefined {
  return items
    .map(({ updatedAt }) => updatedAt)
    .toSorted()
    .at(-1)
}

/**
 * Returns the group of the requested rule only, because its items may be held by other rules too; without one, all
 * groups.
 */
function ofRule(groups: readonly HoldGroup[], { ruleId }: Query): readonly HoldGroup[] {
  return ruleId === undefined ? groups : groups.filter((group) => group.ruleId === ruleId)
}

/** Assigns each item to one group: the largest that holds it. */
function groupItems(items: readonly HeldItem[], groups: readonly HoldGroup[]) {
  const ruleOf = ({ findings }: HeldItem) =>
    groups.find(({ ruleId }) => findings.some((finding) => finding.ruleId === ruleId))?.ruleId ?? noRule
  return groups.flatMap((group) => {
    const those = items.filter((item) => ruleOf(item) === group.ruleId)
    return those.length > 0 ? [{ group, items: those }] : []
  })
}
