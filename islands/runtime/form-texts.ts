/** Returns the texts of a form by the names of its fields, including the button that was pressed. */
export function textsOf(form: HTMLFormElement, pressed: HTMLElement | null = null): Record<string, string> {
  return Object.fromEntries([...new FormData(form, pressed)].map(([name, value]) => [name, String(value)]))
}
