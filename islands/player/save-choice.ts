import { saveSettings } from '#islands/member/save-settings'
import { readStored, writeStored } from '#islands/runtime/browser-storage'
import { pageOwner } from '#islands/runtime/page-owner'
import type { Settings } from '#src/member/settings/settings-schema'

/** What a member chooses in the player, and the server saves too. */
type Choice = Partial<Pick<Settings, 'playbackSpeed' | 'autoPlayNext'>>

/** With the choice itself: a visitor, or another page, may have chosen something else in this browser since. */
const unsavedName = () => `nocturne.unsaved~${pageOwner()}`

/** Saves what a member has chosen in the player. Where that fails it is unsaved, and the next page tries again. */
export async function saveChoice(choice: Choice): Promise<void> {
  if (!pageOwner()) return
  storeUnsaved(choice)
  try {
    await saveSettings(choice, { show: dropSaved })
  } catch (error) {
    console.warn('Not saved. The next page tries again.', choice, error)
  }
}

/** What this page's member has chosen and the server does not know yet. */
export function readUnsaved(): Choice {
  try {
    return JSON.parse((pageOwner() && readStored('localStorage', unsavedName())) || '{}')
  } catch {
    return {}
  }
}

/** Adds to what is unsaved; undefined takes away. */
export function storeUnsaved(choice: Choice): void {
  const text = JSON.stringify({ ...readUnsaved(), ...choice })
  writeStored('localStorage', unsavedName(), text === '{}' ? null : text)
}

/** Something else may have been chosen in another tab meanwhile. */
function dropSaved(saved: Choice): void {
  const { playbackSpeed, autoPlayNext } = readUnsaved()
  if (playbackSpeed === saved.playbackSpeed) storeUnsaved({ playbackSpeed: undefined })
  if (autoPlayNext === saved.autoPlayNext) storeUnsaved({ autoPlayNext: undefined })
}
