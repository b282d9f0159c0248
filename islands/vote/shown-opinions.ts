import { atom, getDefaultStore } from 'jotai'
import { createSaveQueues } from '#islands/runtime/save-queues'

const store = getDefaultStore()

type Change<Opinion> = {
  /** What is shown now: the server's, where no change is on its way. Null: as its page was rendered. */
  before: Opinion | null
  /** Shown until the server has answered; null changes nothing. */
  shown: Opinion | null
  send: (signal: AbortSignal) => Promise<Opinion>
  /** As in a queue of saves: false where the next opinion would not say all of this one. */
  isReplaced?: boolean
}

/**
 * Opinions given on this visit, by item: every card and page shows the same. All others are as rendered. The last one
 * that was pressed counts; then, or after a failure, what the server has is shown.
 */
export function createShownOpinions<Opinion>() {
  const shownAtom = atom<Readonly<Record<string, Opinion>>>({})
  const save = createSaveQueues<Opinion>()

  function show(itemId: string, opinion: Opinion | null): void {
    const { [itemId]: _, ...others } = store.get(shownAtom)
    store.set(shownAtom, opinion === null ? others : { ...others, [itemId]: opinion })
  }

  return {
    shownAtom,
    /** After a sign-in or sign-out, so that those of the page are shown. */
    forget: () => store.set(shownAtom, {}),
    /** Throws what its queue does. */
    async change(itemId: string, { shown, ...change }: Change<Opinion>): Promise<void> {
      if (shown !== null) show(itemId, shown)
      await save(itemId, { ...change, show: (saved) => show(itemId, saved) })
    },
  }
}
