/** Applies one recorded input to its field again, once React has hydrated the field. */
export type Replay = () => void

/**
 * Records input into the fields under `host` that happened before their code was loaded: typed, chosen, or filled in by
 * the browser. React takes over such fields without an event, and may even restore the old value. Not recorded here:
 * forms with a stored draft (`data-draft`), which merge the input themselves (stored-draft.ts); boxes that were pressed
 * while the loader listened, because press-replay.ts presses them again in order and with their modifier keys; and the
 * boxes of rows, which their selection reads.
 */
export function recordInput(host: Element): Replay[] {
  return [...host.querySelectorAll('input, textarea, select')].flatMap((field) => {
    if (field.closest('[data-draft]')) return []
    if (field instanceof HTMLSelectElement) return recordSelect(field)
    if (field instanceof HTMLTextAreaElement) return recordText(field)
    if (!(field instanceof HTMLInputElement)) return []
    if (field.type === 'file') return field.files?.length ? [() => dispatch(field, 'change')] : []
    return field.type === 'checkbox' || field.type === 'radio' ? recordChoice(field) : recordText(field)
  })
}

function recordText(field: HTMLInputElement | HTMLTextAreaElement): Replay[] {
  const { value, defaultValue } = field
  if (value === defaultValue || field.type === 'hidden') return []
  return [
    () => {
      // React tracks changes through the field's own `value` property, not through the prototype's, so it notices this
      // change.
      field.value = value === '' ? ' ' : ''
      setNatively(field, 'value', value)
      dispatch(field, 'input')
    },
  ]
}

function recordChoice(field: HTMLInputElement): Replay[] {
  const { checked, defaultChecked, type } = field
  if ('isPressKept' in field || field.dataset.pick !== undefined) return []
  // In a group of radio buttons only the chosen one is replayed.
  if (checked === defaultChecked || (type === 'radio' && !checked)) return []
  return [
    () => {
      field.checked = !checked
      setNatively(field, 'checked', checked)
      dispatch(field, 'click')
    },
  ]
}

function recordSelect(field: HTMLSelectElement): Replay[] {
  const { value } = field
  const chosen = [...field.options].find(({ defaultSelected }) => defaultSelected) ?? field.options[0]
  if (value === chosen?.value) return []
  return [
    () => {
      field.value = value
      dispatch(field, 'change')
    },
  ]
}

/** Sets a property without React's tracking, so that React notices the event that follows. */
export function setNatively(field: HTMLElement, name: 'value' | 'checked', value: string | boolean): void {
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), name)?.set?.call(field, value)
}

function dispatch(field: HTMLElement, event: 'input' | 'change' | 'click'): void {
  field.dispatchEvent(new Event(event, { bubbles: true }))
}
