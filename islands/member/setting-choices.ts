import type { SubmitEvent } from 'react'
import { saveSettings } from '#islands/member/save-settings'
import { reload } from '#islands/navigation/visit'
import { storeAutoPlay } from '#islands/player/preferences'
import { storeUnsaved } from '#islands/player/save-choice'
import { emit } from '#islands/runtime/events'
import { textsOf } from '#islands/runtime/form-texts'
import { orToast } from '#islands/runtime/or-toast'
import { setTheme } from '#islands/site/theme'
import { hideChanges } from '#src/member/settings/hide-rules'
import type { HideForm, Settings } from '#src/member/settings/settings-schema'
import type { SettingsView } from '#src/member/settings/settings-view-schema'
import { categoryLabel } from '#src/story/rules'
import { discreetTitle } from '#src/ui/discreet'

/** Settings that are saved as soon as they are chosen. `show` displays them. */
export function settingChoices(
  settings: SettingsView['settings'],
  show: (changes: Partial<Settings>) => void,
) {
  /** Shows a choice at once, and reverts it if the server did not save it. */
  const choose = async (changes: Partial<Settings>) => {
    show(changes)
    const shown = {
      before: settings,
      // Only these keys: another choice may be pending, and is not in this response.
      show: (saved: Partial<Settings>) => show(pickKeys(saved, changes)),
    }
    const saved = await orToast(() => saveSettings(changes, shown), { title: 'Error' })
    if (saved && changes.autoPlayNext !== undefined) {
      storeAutoPlay(changes.autoPlayNext)
      // This replaces an earlier choice in the player that could not be saved.
      storeUnsaved({ autoPlayNext: undefined })
    }
    return Boolean(saved)
  }
  return {
    choose,
    /** Makes the title and icon of this page discreet at once, before it is reloaded. */
    async chooseDiscretion(changes: Partial<Settings>): Promise<void> {
      if (!(await choose(changes))) return
      const isDiscreet = changes.discreetMode === true
      document.body.toggleAttribute('data-discreet', isDiscreet)
      if (isDiscreet) document.title = discreetTitle
      // Tells the service worker, whose offline page looks like the last page.
      navigator.serviceWorker?.controller?.postMessage({ ...document.body.dataset })
      await reload()
    },
    chooseTheme(event: SubmitEvent<HTMLFormElement>): void {
      event.preventDefault()
      const { submitter } = event.nativeEvent
      const value = submitter?.getAttribute('value')
      const theme = value === 'dark' || value === 'paper' ? value : null
      setTheme(theme)
      void choose({ theme })
    },
    async chooseHidden(event: SubmitEvent<HTMLFormElement>): Promise<void> {
      event.preventDefault()
      const form = event.currentTarget
      const change: HideForm = textsOf(form, event.nativeEvent.submitter)
      const { hiddenCategories, hiddenWords } = settings
      const before = { hiddenCategories, hiddenWords }
      const changes = hideChanges(before, change)
      if (change.word !== undefined) form.reset()
      // The pressed word is about to be removed, and the focus with it.
      if (change.shownWord !== undefined)
        document.querySelector<HTMLInputElement>('#hide [name=word]')?.focus()
      if (await choose(changes))
        emit('nocturne:toast', { title: hideWords(before, change), undo: () => void choose(before) })
    },
  }
}

function hideWords({ hiddenCategories }: Pick<Settings, 'hiddenCategories'>, change: HideForm): string {
  if (change.category)
    return `${categoryLabel(change.category)} ${hiddenCategories.includes(change.category) ? 'is shown again' : 'is hidden'}`
  return change.word ? `“${change.word}” is hidden` : `“${change.shownWord ?? ''}” is shown again`
}

function pickKeys<T extends object>(from: T, like: Partial<T>): Partial<T> {
  const picked: Partial<T> = {}
  for (const key in like) picked[key] = from[key]
  return picked
}
