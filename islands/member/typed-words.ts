import { enterText } from '#islands/runtime/input-replay'

const textFields = ['textarea', 'input:not([type])', 'input[type=text]']

/**
 * Records text that was typed into the forms of this page, because a sign-in renders them anew. Returns a function that
 * enters the text again; a form is identified by its action. Forms with a stored draft are skipped, since they restore
 * themselves (stored-draft.ts). A page of another member is loaded in full (fetch-page.ts), and gets none of the text.
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

/** Enters a text, and opens the fold that its field is in. */
function typeAgain(field: HTMLInputElement | HTMLTextAreaElement, value: string): void {
  enterText(field, value)
  const fold = field.closest('details')
  if (fold) fold.open = true
}
