import { listen } from '#islands/runtime/events'

/** Whether this browser supports passkeys. On plain HTTP only localhost does. */
export function hasPasskeys(): boolean {
  return 'PublicKeyCredential' in window
}

/** Hides the page's passkey button if the browser does not support passkeys. */
export function startPasskeys(): void {
  if (hasPasskeys()) return
  hideButton()
  listen('nocturne:navigated', hideButton)
}

function hideButton(): void {
  for (const button of document.querySelectorAll<HTMLElement>('[data-name=passkey-sign-in]'))
    button.hidden = true
}
