import { listen } from '#islands/runtime/events'

/** Whether this browser has passkeys; over plain http only localhost has them. */
export function hasPasskeys(): boolean {
  return 'PublicKeyCredential' in window
}

/** Hides the page's passkey button where the browser has none. */
export function startPasskeys(): void {
  if (hasPasskeys()) return
  hideButton()
  listen('nocturne:navigated', hideButton)
}

function hideButton(): void {
  for (const button of document.querySelectorAll<HTMLElement>('[data-name=passkey-sign-in]'))
    button.hidden = true
}
