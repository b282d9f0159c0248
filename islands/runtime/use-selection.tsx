import { type ReactNode, useEffect, useRef, useState } from 'react'
import { announce } from '#islands/site/show-dialog'
import { pluralize } from '#src/text/pluralize'
import { Button } from '#src/ui/button'

/** A press on a row's box. With Shift (`isRange`) it applies to all rows from the last pressed one to this. */
type Press = { isChosen: boolean; isRange: boolean }

export type Selection = {
  chosen: ReadonlySet<string>
  pick: (id: string, press: Press) => void
  choose: (ids: readonly string[], choice: { isChosen: boolean }) => void
  clear: () => void
}

/**
 * Holds which rows of a list are selected. `listIds` returns the ids of the rows in display order, `listTicked` those
 * that are selected initially.
 */
export function useSelection(
  listIds: () => readonly string[],
  listTicked: () => readonly string[] = () => [],
): Selection {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set(listTicked()))
  const last = useRef<string | null>(null)
  const choose = (those: readonly string[], { isChosen }: { isChosen: boolean }) =>
    setChosen((all) => {
      const next = new Set(all)
      for (const id of those) {
        if (isChosen) next.add(id)
        else next.delete(id)
      }
      return next
    })
  const pick = (id: string, { isChosen, isRange }: Press) => {
    choose(isRange ? rangeOf(listIds(), last.current, id) : [id], { isChosen })
    last.current = id
  }
  return { chosen, pick, choose, clear: () => setChosen(new Set()) }
}

/** Returns the rows between two rows, both included, in either order. */
export function rangeOf(ids: readonly string[], from: string | null, to: string): string[] {
  const places = [from === null ? -1 : ids.indexOf(from), ids.indexOf(to)].sort((a, b) => a - b)
  const [first = -1, last = -1] = places
  return first < 0 ? [to] : ids.slice(first, last + 1)
}

/** The selection box of a row. The row carries `data-pick-row`, so that the key x presses the box. */
export function PickBox({ id, title, selection }: { id: string; title: string; selection: Selection }) {
  return (
    <label className="held-pick">
      <input
        type="checkbox"
        aria-label={`Select: ${title}`}
        checked={selection.chosen.has(id)}
        // A change does not tell about Shift.
        onChange={() => {}}
        onClick={({ currentTarget, shiftKey }) =>
          selection.pick(id, { isChosen: currentTarget.checked, isRange: shiftKey })
        }
      />
    </label>
  )
}

/** Bar with the number of selected rows and the actions on them. It is visible at any scroll position. */
export function SelectionBar({
  count,
  noun,
  onClear,
  children,
}: {
  count: number
  noun: string
  onClear: () => void
  children: ReactNode
}) {
  return (
    count > 0 && (
      <Bar words={`${pluralize(count, noun)} selected`}>
        <Button
          kind="ghost"
          size="sm"
          onClick={() => {
            // The button disappears with its bar.
            findBox()?.focus()
            onClear()
          }}
        >
          Clear
        </Button>
        {children}
      </Bar>
    )
  )
}

function Bar({ words, children }: { words: string; children: ReactNode }) {
  useEffect(() => announce(words), [words])
  return (
    <section className="apply-bar held-bar" aria-label="Selection">
      <p>{words}</p>
      {children}
    </section>
  )
}

/** Finds the box of a selected row, or else of the first row. */
function findBox(): HTMLElement | undefined {
  const boxes = [...document.querySelectorAll<HTMLInputElement>('[data-pick-row] .held-pick input')]
  return boxes.find(({ checked }) => checked) ?? boxes[0]
}
