import { emit } from '#islands/runtime/events'
import { setPreferenceCookie } from '#islands/runtime/preference-cookie'
import type { ThemeName } from '#src/ui/viewer'

/** Handles the button of the top bar that switches to the other theme. */
export function startTheme(): void {
  document.addEventListener('click', (event) => {
    if (!(event.target instanceof Element) || !event.target.closest('[data-theme-button]')) return
    setTheme(isDark() ? 'paper' : 'dark')
  })
}

/** Shows a theme at once and stores the choice. Null follows the system. */
export function setTheme(theme: ThemeName | null): void {
  const root = document.documentElement
  if (theme) root.dataset.theme = theme
  else delete root.dataset.theme
  setPreferenceCookie('nocturne_theme', theme)
  emit('nocturne:theme', { theme })
}

function isDark(): boolean {
  const { theme } = document.documentElement.dataset
  return theme ? theme === 'dark' : !matchMedia('(prefers-color-scheme: light)').matches
}
