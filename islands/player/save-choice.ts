import { saveSettings } from '#islands/member/save-settings'
import { readStored, writeStored } from '#islands/runtime/browser-storage'
import { pageOwner } from '#islands/runtime/page-owner'
import type { Settings } from '#src/member/settings/settings-schema'

/** Settings that a member chooses in the player and that the server saves too. */
type Choice = Partial<Pick<Settings, 'playbackSpeed' | 'autoPlayNext'>>

/**
 * The storage key of choices that are not saved yet, one for each member. The value contains the choices themselves,
 * because a visitor or another page may have chosen something else in this browser since.
 */
const unsavedName = () => `nocturne.unsaved~${pageOwner()}`

/** Saves a member's choice. If that fails, the choice stays stored as unsaved and the next page tries again. */
export async function saveChoice(choice: Choice): Promise<void> {
  if (!pageOwner()) return
  storeUnsaved(choice)
  try {
    await saveSettings(choice, { show: dropSaved })
  } catch (error) {
    console.warn('Not saved. The next page tries again.', choice, error)
  }
}

/** Returns what this page's member has chosen and the server does not know yet. */
export function readUnsaved(): Choice {
  try {
    return JSON.parse((pageOwner() && readStored('localStorage', unsavedName())) || '{}')
  } catch {
    return {}
  }
}

/** Merges into the unsaved choices; undefined removes one. */
export function storeUnsaved(choice: Choice): void {
  const text = JSON.stringify({ ...readUnsaved(), ...choice })
  writeStored('localStorage', unsavedName(), text === '{}' ? null : text)
}

/** Removes saved choices, except those that another tab has changed meanwhile. */
function dropSaved(saved: Choice): void {
  const { playbackSpeed, autoPlayNext } = readUnsaved()
  if (playbackSpeed === saved.playbackSpeed) storeUnsaved({ playbackSpeed: undefined })
  if (autoPlayNext === saved.autoPlayNext) storeUnsaved({ autoPlayNext: undefined })
}
