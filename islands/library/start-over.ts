/**
 * Empties a form for the next item, and moves the focus to its first field: the pressed button is disabled or gone by
 * now. Somebody who has gone elsewhere stays there.
 */
export function startOver(form: HTMLFormElement): void {
  const { activeElement, body } = document
  const isHere = activeElement === body || form.contains(activeElement)
  form.reset()
  if (isHere) form.querySelector('input')?.focus()
}
