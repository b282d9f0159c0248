/** A message of a tab to the other tabs of this browser. */
export type TabNews =
  /** This tab plays from now on: the others pause. */
  | { type: 'plays' }
  /** This tab is about to play an item: a tab that plays it answers with its position. */
  | { type: 'asks'; contentId: string }
  /** The position to which the item was played here. */
  | { type: 'heard'; contentId: string; seconds: number }
  | { type: 'favorite'; contentKey: string; isFavorite: boolean }

type SentNews = TabNews & { owner: string | undefined }

declare global {
  interface Window {
    /** News from before the code that uses them was here, stored by the loader. On the window: bundles share no variables. */
    nocturneNews?: SentNews[]
  }
}

let channel: BroadcastChannel | undefined
const openChannel = () => (channel ??= new BroadcastChannel('nocturne'))

export function postToTabs(news: TabNews): void {
  openChannel().postMessage({ ...news, owner: document.body.dataset.owner })
}

/** Calls `handle` with the news of other tabs, of the same member's pages alone; returns a function that stops it. */
export function listenToTabs(handle: (news: TabNews) => void): () => void {
  const onNews = (news: SentNews) => {
    if (news.owner === document.body.dataset.owner) handle(news)
  }
  const onMessage = ({ data }: MessageEvent<SentNews>) => onNews(data)
  window.nocturneNews?.forEach(onNews)
  openChannel().addEventListener('message', onMessage)
  return () => channel?.removeEventListener('message', onMessage)
}

/** Stores the favourites of other tabs until the code that shows them is here, and calls `load` to fetch it. */
export function storeTabNews(load: () => void): void {
  openChannel().onmessage = ({ data }: MessageEvent<SentNews>) => {
    if (data.type !== 'favorite') return
    window.nocturneNews = [...(window.nocturneNews ?? []), data]
    load()
  }
}
