/** The name of the file that sends the form, inserted by scripts/build-islands.ts. */
declare const signupFile: string

/**
 * Sends the Beta Access form without leaving the page. The sender is loaded on demand, because few people use it. If
 * loading fails, the browser submits the form itself.
 */
export function startBetaAccess(): void {
  document.addEventListener('submit', (event) => {
    const form = event.target
    if (!(form instanceof HTMLFormElement) || form.dataset.beta === undefined) return
    event.preventDefault()
    import(`/assets/${signupFile}`).then(
      ({ send }) => send(form),
      () => form.submit(),
    )
  })
}
