import { atom, getDefaultStore } from 'jotai'
import { createSaveQueues } from '#islands/runtime/save-queues'

const store = getDefaultStore()

type Change<Opinion> = {
  /**
   * The value before the change. It is the server's if no change is pending; null means that the page's own is shown.
   */
  before: Opinion | null
  /** The value to show until the server has answered; null changes nothing. */
  shown: Opinion | null
  send: (signal: AbortSignal) => Promise<Opinion>
  /** As in createSaveQueues: false if the next opinion does not replace all of this one. */
  isReplaced?: boolean
}

/**
 * Opinions given during this visit, by item. Every card and page shows the same; all other opinions are as rendered.
 * The last press wins. After the response, or a failure, the server's value is shown.
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
    /** Clears the opinions after a sign-in or sign-out, so that the page's own are shown. */
    forget: () => store.set(shownAtom, {}),
    /** Throws what the queue throws. */
    async change(itemId: string, { shown, ...change }: Change<Opinion>): Promise<void> {
      if (shown !== null) show(itemId, shown)
      await save(itemId, { ...change, show: (saved) => show(itemId, saved) })
    },
  }
}
