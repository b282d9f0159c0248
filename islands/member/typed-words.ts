import { setNatively } from '#islands/runtime/input-replay'

const textFields = ['textarea', 'input:not([type])', 'input[type=text]']

/**
 * Remembers what is typed into the forms of this page, which a sign-in draws anew. Returns a function that types it
 * again: a form is known by its address. One with a stored draft remembers it itself (stored-draft.ts); a page of another
 * member is loaded in full (fetch-page.ts), and gets none of it.
 */
export function rememberTyped(): () => void {
  const typed = [
    ...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
      `form[action]:not([data-draft]) :is(${textFields})`,
    ),
  ].flatMap(({ form, name, value, defaultValue }) =>
    form && value !== defaultValue ? [{ action: form.getAttribute('action') ?? '', name, value }] : [],
  )
  return () => {
    for (const { action, name, value } of typed) {
      const selector = `form[action="${CSS.escape(action)}"] [name="${CSS.escape(name)}"]`
      const field = document.querySelector<HTMLInputElement | HTMLTextAreaElement>(selector)
      if (field && field.value === field.defaultValue) typeAgain(field, value)
    }
  }
}

/** Its island may or may not be there yet. */
function typeAgain(field: HTMLInputElement | HTMLTextAreaElement, value: string): void {
  setNatively(field, 'value', value)
  field.dispatchEvent(new Event('input', { bubbles: true }))
  const fold = field.closest('details')
  if (fold) fold.open = true
}
