/** A form goes, or the row whose button was pressed, and the focus would be lost with it: what has this id takes it. */
export function passFocus(form: HTMLFormElement, id: string): void {
  if (form.contains(document.activeElement)) document.getElementById(id)?.focus()
}
