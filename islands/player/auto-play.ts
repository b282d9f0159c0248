import { readAutoPlay, storeAutoPlay } from '#islands/player/preferences'
import { readUnsaved, saveChoice } from '#islands/player/save-choice'
import { setDoesAutoPlay } from '#islands/player/state'

/** Whether the next item begins automatically: the last choice counts, here or in the settings. */
export function createAutoPlay() {
  /** Increases with a choice, and once it is saved: an answer that was asked for before is older. */
  let turn = 0

  async function choose(does: boolean): Promise<void> {
    turn += 1
    setDoesAutoPlay(does)
    storeAutoPlay(does)
    await saveChoice({ autoPlayNext: does })
    turn += 1
  }

  return {
    choose,
    /** Call it when the server is asked. Returns what takes the answer: a member's setting, null for a visitor. */
    ask() {
      const asked = turn
      return (saved: boolean | null): void => {
        const { autoPlayNext: unsaved } = readUnsaved()
        if (unsaved !== undefined) void choose(unsaved)
        else if (turn === asked) setDoesAutoPlay(saved ?? readAutoPlay())
      }
    },
  }
}
