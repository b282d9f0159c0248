/**
 * Preloaded into a server under test: reports to its parent for how long the event loop was blocked. Processor time
 * of the loop's own thread is counted and not the clock, so that a busy machine does not look like a slow server.
 */
export type Held = { ms: number; referenceMs: number }

/** The question of the parent: for how long since the last one. Below `limitMs` the core's speed changes nothing. */
export type Question = { limitMs: number }

let longestMs = 0
let last = process.threadCpuUsage()

function turn(): void {
  const now = process.threadCpuUsage()
  longestMs = Math.max(longestMs, (now.user + now.system - last.user - last.system) / 1_000)
  last = now
}

/**
 * The same work on every machine: its time measures the speed of this core now. Kernels count a thread's time by ticks
 * of some milliseconds, so that one run of it may count as none: many are measured as one.
 */
function measureReference(): number {
  const text = JSON.stringify(Array.from({ length: 20_000 }, (_, at) => ({ at, text: `lamp ${at}` })))
  const before = process.threadCpuUsage()
  for (let run = 0; run < referenceRuns; run += 1) JSON.parse(text)
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1_000 / referenceRuns
}

const referenceRuns = 20

setInterval(turn, 1).unref()
process.on('message', ({ limitMs }: Question) => {
  turn()
  const ms = longestMs
  // Measured at the same time as the value it is compared with: the speed of a shared core varies.
  process.send?.({ ms, referenceMs: ms < limitMs ? 0 : measureReference() } satisfies Held)
  longestMs = 0
  last = process.threadCpuUsage()
})
