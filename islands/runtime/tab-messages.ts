/** A message of a tab to the other tabs of this browser. */
export type TabMessage =
  /** This tab starts to play: the others pause. */
  | { type: 'plays' }
  /** This tab is about to play an item: a tab that is playing it answers with its position. */
  | { type: 'asks'; contentId: string }
  /** The position in seconds up to which this tab has played the item. */
  | { type: 'heard'; contentId: string; seconds: number }
  | { type: 'favorite'; contentKey: string; isFavorite: boolean }

type SentMessage = TabMessage & { owner: string | undefined }

declare global {
  interface Window {
    /**
     * Messages that the loader stored before the code that uses them was loaded. On `window`, because bundles share no
     * variables.
     */
    nocturneNews?: SentMessage[]
  }
}

let channel: BroadcastChannel | undefined
const openChannel = () => (channel ??= new BroadcastChannel('nocturne'))

export function postToTabs(message: TabMessage): void {
  openChannel().postMessage({ ...message, owner: document.body.dataset.owner })
}

/** Calls `handle` for messages of other tabs with pages of the same member. Returns a function that stops it. */
export function listenToTabs(handle: (message: TabMessage) => void): () => void {
  const handleOwn = (message: SentMessage) => {
    if (message.owner === document.body.dataset.owner) handle(message)
  }
  const onMessage = ({ data }: MessageEvent<SentMessage>) => handleOwn(data)
  window.nocturneNews?.forEach(handleOwn)
  openChannel().addEventListener('message', onMessage)
  return () => channel?.removeEventListener('message', onMessage)
}

/** Stores changes of favourites in other tabs until the code that shows them is loaded, and calls `load` to load it. */
export function storeTabMessages(load: () => void): void {
  openChannel().onmessage = ({ data }: MessageEvent<SentMessage>) => {
    if (data.type !== 'favorite') return
    window.nocturneNews = [...(window.nocturneNews ?? []), data]
    load()
  }
}
