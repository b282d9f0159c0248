import { type MemberChoice, readUnsaved, storeUnsaved } from '#islands/player/preferences'
import { api } from '#islands/runtime/api'
import { pageOwner } from '#islands/runtime/page-owner'
import type { Settings } from '#src/member/settings/settings-schema'

/** Saves run one after the other, so that the last choice is the one that stays. */
let last: Promise<void> = Promise.resolve()

/**
 * Saves what a member has chosen in the player. Where that fails it is unsaved, and the next page tries again.
 * `isStillChosen`: nothing else was chosen meanwhile.
 */
export function saveChoice(
  choice: MemberChoice,
  body: Partial<Settings>,
  isStillChosen: () => boolean,
): Promise<void> {
  storeUnsaved(choice, pageOwner())
  last = last.then(async () => {
    try {
      await api('PATCH /api/user/settings', { body })
      if (isStillChosen()) storeUnsaved(choice, null)
    } catch (error) {
      console.warn(`Not saved: ${choice}. The next page tries again.`, error)
    }
  })
  return last
}

/** Whether this page's member has chosen something that the server does not know yet. */
export function isUnsaved(choice: MemberChoice): boolean {
  return readUnsaved(choice) === pageOwner()
}
