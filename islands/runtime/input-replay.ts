/** Applies one input of a person to its field again, once React has hydrated the field. */
export type Replay = () => void

/**
 * Records the input into the fields under `host` from before their code was loaded: typed, chosen, or filled in by the
 * browser. React takes over such fields without an event, and may even restore the old value. A form with a stored
 * draft (`data-draft`) merges both itself (stored-draft.ts). Boxes that were pressed while the loader listened are
 * pressed again by it, with their modifier keys and in order (press-replay.ts), and those of rows are heard by their
 * selection.
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
      // React tracks changes through the field's own value property, and not through the prototype's: so it
      // notices this change.
      field.value = value === '' ? ' ' : ''
      setNatively(field, 'value', value)
      dispatch(field, 'input')
    },
  ]
}

function recordChoice(field: HTMLInputElement): Replay[] {
  const { checked, defaultChecked, type } = field
  if ('isPressKept' in field || field.dataset.pick !== undefined) return []
  // Of a group of radio buttons only the chosen one is replayed.
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

/** Sets a property past React, which notices the event that follows. */
export function setNatively(field: HTMLElement, name: 'value' | 'checked', value: string | boolean): void {
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), name)?.set?.call(field, value)
}

function dispatch(field: HTMLElement, event: 'input' | 'change' | 'click'): void {
  field.dispatchEvent(new Event(event, { bubbles: true }))
}
