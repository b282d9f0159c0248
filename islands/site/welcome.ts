import { setPreferenceCookie } from '#islands/runtime/preference-cookie'

/** Handles the hero's "Hide this welcome": hides it now and on later pages. */
export function startWelcome(): void {
  document.addEventListener('click', (event) => {
    if (!(event.target instanceof Element) || !event.target.closest('[data-hide-welcome]')) return
    setPreferenceCookie('nocturne_welcome', 'hidden')
    event.target.closest('[data-welcome]')?.remove()
    document.querySelector<HTMLElement>('#main :is(a, button)')?.focus({ preventScroll: true })
  })
}
