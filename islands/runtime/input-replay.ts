/**
 * Records input into an island's fields before its code was loaded: typed, chosen, autofilled by the browser. React
 * takes over such fields without an event, and may even restore the old value.
 */
export type TypedEarly = (() => void)[]

/**
 * Records the fields under `host`; each answer replays one input when it is called after hydration. A form with a
 * stored draft (`data-draft`) merges both itself (stored-draft.ts).
 */
export function lookForTyped(host: Element): TypedEarly {
  return [...host.querySelectorAll('input, textarea, select')].flatMap((field) => {
    if (field.closest('[data-draft]')) return []
    if (field instanceof HTMLSelectElement) return lookAtSelect(field)
    if (field instanceof HTMLTextAreaElement) return lookAtText(field)
    if (!(field instanceof HTMLInputElement)) return []
    if (field.type === 'file') return field.files?.length ? [() => dispatch(field, 'change')] : []
    return field.type === 'checkbox' || field.type === 'radio' ? lookAtChoice(field) : lookAtText(field)
  })
}

function lookAtText(field: HTMLInputElement | HTMLTextAreaElement): TypedEarly {
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

function lookAtChoice(field: HTMLInputElement): TypedEarly {
  const { checked, defaultChecked, type } = field
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

function lookAtSelect(field: HTMLSelectElement): TypedEarly {
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

function setNatively(field: HTMLElement, name: 'value' | 'checked', value: string | boolean): void {
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), name)?.set?.call(field, value)
}

function dispatch(field: HTMLElement, event: 'input' | 'change' | 'click'): void {
  field.dispatchEvent(new Event(event, { bubbles: true }))
}
