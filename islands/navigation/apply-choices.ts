/**
 * Submits a form with `data-apply-choices` at each change of a select, including a change made before this code was
 * loaded.
 */
export function startChoices(): void {
  document.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLSelectElement) apply(target)
  })
  for (const select of document.querySelectorAll<HTMLSelectElement>('[data-apply-choices] select')) {
    if (select.value !== [...select.options].find(({ defaultSelected }) => defaultSelected)?.value)
      apply(select)
  }
}

function apply({ form }: HTMLSelectElement): void {
  if (form?.hasAttribute('data-apply-choices')) form.requestSubmit()
}
