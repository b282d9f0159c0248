/** Changes of one thing on their way, one after the other. `saved` is what the server has; null where nobody knows. */
type Queue<Value> = { saved: Value | null; last: Promise<void> }

type Change<Value> = {
  /** What is shown now: the server's, where no change is on its way. Null: nobody knows. */
  before: Value | null
  /** Called where nothing follows, with what the server has, also after a failure. */
  show: (saved: Value | null) => void
  send: (signal: AbortSignal) => Promise<Value>
  /** Whether the next change says all that this one does, and so what becomes of it too. A comment is said once. */
  isReplaced?: boolean
}

/** A change that is not answered for so long is given up, so that it does not hold the next ones back for good. */
export const unansweredMs = 20_000

/**
 * What a person changes is shown at once and saved later. The changes of one thing, by its key, are sent one after the
 * other, so that the last one counts, on the server too.
 */
export function createSaveQueues<Value>() {
  const queues = new Map<string, Queue<Value>>()

  /**
   * Returns what the server has saved. Throws what `send` throws, except where another change takes the place of this
   * one: then it returns null.
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
