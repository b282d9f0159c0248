/** Work between two pauses. Five such slices fit into the 50 ms that one request may block the others. */
const sliceMs = 10

/**
 * Shares the event loop during long work: `await pause()` goes on at once until 10 ms have passed since the last
 * pause, then lets waiting requests run first. One slicer belongs to one piece of work.
 */
export function createTimeSlicer(): () => Promise<void> {
  let startedAt = performance.now()
  return async () => {
    if (performance.now() - startedAt < sliceMs) return
    await new Promise<void>((resolve) => setImmediate(resolve))
    startedAt = performance.now()
  }
}
