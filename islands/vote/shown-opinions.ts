import { atom, getDefaultStore } from 'jotai'

const store = getDefaultStore()

/** Changes of one item on their way, one after the other. `saved` is what the server has; null where nobody knows. */
type Line<Opinion> = { saved: Opinion | null; last: Promise<void> }

type Change<Opinion> = {
  /** What is shown now: the server's, where no change is on its way. Null: as its page was rendered. */
  before: Opinion | null
  /** Shown until the server has answered; null changes nothing. */
  shown: Opinion | null
  send: () => Promise<Opinion>
}

/**
 * Opinions given on this visit, by item: every card and page shows the same. All others are as rendered. Those of one
 * item are sent one after the other, so that the last one that was pressed counts; then, or after a failure, what the
 * server has is shown.
 */
export function createShownOpinions<Opinion>() {
  const shownAtom = atom<Readonly<Record<string, Opinion>>>({})
  const lines = new Map<string, Line<Opinion>>()

  function show(itemId: string, opinion: Opinion | null): void {
    const { [itemId]: _, ...others } = store.get(shownAtom)
    store.set(shownAtom, opinion === null ? others : { ...others, [itemId]: opinion })
  }

  return {
    shownAtom,
    /** After a sign-in or sign-out, so that those of the page are shown. */
    forget: () => store.set(shownAtom, {}),
    /** Throws what `send` throws. */
    async change(itemId: string, { before, shown, send }: Change<Opinion>): Promise<void> {
      const line = lines.get(itemId) ?? { saved: before, last: Promise.resolve() }
      lines.set(itemId, line)
      if (shown !== null) show(itemId, shown)
      const sent = line.last.then(send).then((saved) => {
        line.saved = saved
      })
      const mine = sent.catch(() => {})
      line.last = mine
      await mine
      if (line.last === mine) {
        lines.delete(itemId)
        show(itemId, line.saved)
      }
      await sent
    },
  }
}
