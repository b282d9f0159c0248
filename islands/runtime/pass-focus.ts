/** Gives the focus to the element of this id, before the form that has it, or a row in that, is gone. */
export function passFocus(form: HTMLFormElement, id: string): void {
  if (form.contains(document.activeElement)) document.getElementById(id)?.focus()
}
