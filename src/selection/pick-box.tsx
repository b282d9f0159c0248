/** The box by which a row is selected. The row carries `data-pick-row`; an island follows its presses. */
export function PickBox({ id, title }: { id: string; title: string }) {
  return (
    <label className="held-pick needs-script">
      <input type="checkbox" data-pick="" value={id} aria-label={`Select: ${title}`} />
    </label>
  )
}

/** The room of a box, in a row that cannot be selected: what follows stands in one column. */
export function PickRoom() {
  return <span className="held-pick needs-script" />
}
