/** The file that sends the form. Put in by scripts/build-islands.ts. */
declare const signupFile: string

/**
 * Sends the Beta Access form without leaving the page. The sender is loaded on demand, since few use it; where that
 * fails the browser sends the form itself.
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
