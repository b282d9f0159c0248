/**
 * Preloaded into a server under test: reports to its parent for how long the event loop was blocked. It counts the
 * processor time of the loop's own thread, not the clock, so that a busy machine does not look like a slow server.
 */
export type BlockedTime = { ms: number; referenceMs: number }

/**
 * The parent's question: for how long was the loop blocked since the last question? Below `limitMs` the speed of the
 * core does not matter and is not measured.
 */
export type Question = { limitMs: number }

let longestMs = 0
let last = process.threadCpuUsage()

function turn(): void {
  const now = process.threadCpuUsage()
  longestMs = Math.max(longestMs, (now.user + now.system - last.user - last.system) / 1_000)
  last = now
}

/**
 * Measures the present speed of this core by work that is the same on every machine. Kernels count a thread's time in
 * ticks of some milliseconds, and one run may count as none, so many runs are measured together.
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
  // Measured together with the value it is compared with, because the speed of a shared core varies.
  process.send?.({ ms, referenceMs: ms < limitMs ? 0 : measureReference() } satisfies BlockedTime)
  longestMs = 0
  last = process.threadCpuUsage()
})
