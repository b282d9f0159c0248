/** Applies one recorded input to its field again, once the field is hydrated. */
export type Replay = () => void

/**
 * Records input into the fields under `host` that happened before their code was loaded: typed, chosen, or filled in by
 * the browser. Hydration takes over such fields without an event, and may even restore the old value. Not recorded here:
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
  return value === defaultValue || field.type === 'hidden' ? [] : [() => enterText(field, value)]
}

function recordChoice(field: HTMLInputElement): Replay[] {
  const { checked, defaultChecked, type } = field
  if ('isPressKept' in field || field.dataset.pick !== undefined) return []
  // In a group of radio buttons only the chosen one is replayed.
  if (checked === defaultChecked || (type === 'radio' && !checked)) return []
  return [
    () => {
      field.checked = checked
      dispatch(field, 'change')
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

/** Enters a text as a person would, so that the field's island notices. */
export function enterText(field: HTMLInputElement | HTMLTextAreaElement, value: string): void {
  field.value = value
  dispatch(field, 'input')
}

function dispatch(field: HTMLElement, event: 'input' | 'change'): void {
  field.dispatchEvent(new Event(event, { bubbles: true }))
}
