import { keepPreference } from '#islands/preference-cookie'

/** The hero's "Hide this welcome": gone now, and not in the next page. */
export function startWelcome(): void {
  document.addEventListener('click', (event) => {
    if (!(event.target instanceof Element) || !event.target.closest('[data-hide-welcome]')) return
    keepPreference('nocturne_welcome', 'hidden')
    event.target.closest('[data-welcome]')?.remove()
    document.getElementById('main')?.querySelector<HTMLElement>('a, button')?.focus({ preventScroll: true })
  })
}
