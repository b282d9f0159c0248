/** Duration of work between two pauses. Five slices fit into the 50 ms for which one request may block the others. */
const sliceMs = 10

/**
 * Shares the event loop during long work. `await pause()` continues at once until 10 ms have passed since the last
 * pause, then lets waiting requests run first. Each piece of work has its own slicer.
 */
export function createTimeSlicer(): () => Promise<void> {
  let startedAt = performance.now()
  return async () => {
    if (performance.now() - startedAt < sliceMs) return
    await new Promise<void>((resolve) => setImmediate(resolve))
    startedAt = performance.now()
  }
}
