/** Moves the focus from a form to the element with this id, before the form, or a row in it, is removed. */
export function passFocus(form: HTMLFormElement, id: string): void {
  if (form.contains(document.activeElement)) document.getElementById(id)?.focus()
}
