/**
 * What a person did to the fields of an island before its code was there: typed, chosen, filled in by the
 * browser. React takes such fields over without hearing of it, and may even put the old value back.
 */
export type TypedEarly = (() => void)[]

/** Looks at the fields under `host`; each answer, called once the island is awake, tells it of one. */
export function lookForTyped(host: Element): TypedEarly {
  return [...host.querySelectorAll('input, textarea, select')].flatMap((field) => {
    if (field instanceof HTMLSelectElement) return lookAtSelect(field)
    if (field instanceof HTMLTextAreaElement) return lookAtText(field)
    if (!(field instanceof HTMLInputElement)) return []
    if (field.type === 'file') return field.files?.length ? [() => tell(field, 'change')] : []
    return field.type === 'checkbox' || field.type === 'radio' ? lookAtChoice(field) : lookAtText(field)
  })
}

function lookAtText(field: HTMLInputElement | HTMLTextAreaElement): TypedEarly {
  const { value, defaultValue } = field
  if (value === defaultValue || field.type === 'hidden') return []
  return [
    () => {
      // React notes what goes through the field itself, and not what goes through its prototype: so it sees a change.
      field.value = value === '' ? ' ' : ''
      setNatively(field, 'value', value)
      tell(field, 'input')
    },
  ]
}

function lookAtChoice(field: HTMLInputElement): TypedEarly {
  const { checked, defaultChecked, type } = field
  // Of a group of radio buttons the one that is chosen speaks for the others.
  if (checked === defaultChecked || (type === 'radio' && !checked)) return []
  return [
    () => {
      field.checked = !checked
      setNatively(field, 'checked', checked)
      tell(field, 'click')
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
      tell(field, 'change')
    },
  ]
}

function setNatively(field: HTMLElement, name: 'value' | 'checked', value: string | boolean): void {
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), name)?.set?.call(field, value)
}

function tell(field: HTMLElement, event: 'input' | 'change' | 'click'): void {
  field.dispatchEvent(new Event(event, { bubbles: true }))
}
