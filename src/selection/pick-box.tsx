/** The checkbox that selects a row. The row has `data-pick-row`; an island handles the presses. */
export function PickBox({ id, title }: { id: string; title: string }) {
  return (
    <label className="held-pick needs-script">
      <input type="checkbox" data-pick="" value={id} aria-label={`Select: ${title}`} />
    </label>
  )
}

/** The space of a checkbox in a row that cannot be selected, so that the columns align. */
export function PickRoom() {
  return <span className="held-pick needs-script" />
}
