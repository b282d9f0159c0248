import { emit } from '#islands/events'
import { keepPreference } from '#islands/preference-cookie'
import type { ThemeName } from '#src/ui/viewer'

/** The top bar's button: from what is seen now to the other. */
export function startTheme(): void {
  document.addEventListener('click', (event) => {
    if (!(event.target instanceof Element) || !event.target.closest('[data-theme-button]')) return
    setTheme(currentTheme() === 'dark' ? 'paper' : 'dark')
  })
}

/** Shows a theme at once and keeps the choice; null leaves it to the system. */
export function setTheme(theme: ThemeName | null): void {
  const root = document.documentElement
  if (theme) root.dataset.theme = theme
  else delete root.dataset.theme
  keepPreference('nocturne_theme', theme)
  emit('nocturne:theme', { theme })
}

/** What is seen now. */
export function currentTheme(): ThemeName {
  const chosen = document.documentElement.dataset.theme
  if (chosen === 'dark' || chosen === 'paper') return chosen
  return matchMedia('(prefers-color-scheme: light)').matches ? 'paper' : 'dark'
}
