/**
 * The pending changes of one thing, sent one after the other. `saved` is the server's value, or null if it is unknown.
 */
type Queue<Value> = { saved: Value | null; last: Promise<void> }

type Change<Value> = {
  /** The value before the change. It is the server's if no change is pending; null if it is unknown. */
  before: Value | null
  /** Called with the server's value when no other change follows, also after a failure. */
  show: (saved: Value | null) => void
  send: (signal: AbortSignal) => Promise<Value>
  /**
   * Whether the next change replaces this one, and with it this one's outcome. A comment, for example, is not replaced.
   */
  isReplaced?: boolean
}

/**
 * Timeout of a change, in milliseconds. Without one, a change without a response would block those behind it for good.
 */
export const unansweredMs = 20_000

/**
 * Queues for changes that are shown at once and saved later. The changes of one key are sent one after the other, so
 * that the last one wins on the server too.
 */
export function createSaveQueues<Value>() {
  const queues = new Map<string, Queue<Value>>()

  /**
   * Returns the value that the server has saved, or null if this change failed and another one has replaced it.
   * Otherwise throws what `send` throws.
   */
  return async (
    key: string,
    { before, show, send, isReplaced = true }: Change<Value>,
  ): Promise<Value | null> => {
    const queue = queues.get(key) ?? { saved: before, last: Promise.resolve() }
    queues.set(key, queue)
    const sent = queue.last.then(() => withinTime(send))
    const mine = sent.then(
      (saved) => {
        queue.saved = saved
      },
      () => {},
    )
    queue.last = mine
    await mine
    if (queue.last !== mine) return isReplaced ? sent.catch(() => null) : sent
    queues.delete(key)
    show(queue.saved)
    return sent
  }
}

async function withinTime<Value>(send: (signal: AbortSignal) => Promise<Value>): Promise<Value> {
  const givenUp = new AbortController()
  const timer = setTimeout(() => givenUp.abort(), unansweredMs)
  try {
    return await send(givenUp.signal)
  } finally {
    clearTimeout(timer)
  }
}
