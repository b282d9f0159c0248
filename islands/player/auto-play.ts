import { readAutoPlay, storeAutoPlay } from '#islands/player/preferences'
import { readUnsaved, saveChoice } from '#islands/player/save-choice'
import { setDoesAutoPlay } from '#islands/player/state'

/** Whether the next item starts automatically. The latest choice counts, whether made here or in the settings. */
export function createAutoPlay() {
  /** Incremented by a choice, and again once it is saved: an answer that was requested before that is outdated. */
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
    /**
     * Call it when asking the server. Returns a function that takes the answer: a member's setting, or null for a
     * visitor.
     */
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
