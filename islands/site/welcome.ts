import { setPreferenceCookie } from '#islands/runtime/preference-cookie'

/** The hero's "Hide this welcome": hidden now, and on the next page. */
export function startWelcome(): void {
  document.addEventListener('click', (event) => {
    if (!(event.target instanceof Element) || !event.target.closest('[data-hide-welcome]')) return
    setPreferenceCookie('nocturne_welcome', 'hidden')
    event.target.closest('[data-welcome]')?.remove()
    document.querySelector<HTMLElement>('#main :is(a, button)')?.focus({ preventScroll: true })
  })
}
