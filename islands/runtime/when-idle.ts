/** Runs work when the browser is idle, after two seconds at the latest: a busy device may never be idle. */
export const whenIdle: (run: () => void) => void =
  'requestIdleCallback' in window
    ? (run) => requestIdleCallback(run, { timeout: 2_000 })
    : (run) => setTimeout(run, 200)
