import { afterAll, setDefaultTimeout } from 'bun:test'
import { isAlive } from './embedded/postmaster'
import { closeTestCluster } from './testing'

/**
 * bunfig.toml preloads this file for every `bun test`. An afterAll here runs once, after all files; in a worker of `bun
 * test --parallel`, after each file.
 */
afterAll(closeTestCluster)

/** Generous, because a time limit must catch tests that hang, not fail tests on a busy machine. */
setDefaultTimeout(240_000)

// Programs that tests start should run as an operator's do, without the settings that `scripts/test.ts` makes for the
// JavaScript engine of its workers.
delete process.env.BUN_JSC_useFTLJIT
delete process.env.MIMALLOC_PURGE_DELAY

const runPid = Number(process.env.TEST_RUN_PID)
const parentPid = process.ppid
if (runPid) setInterval(endWithoutRun, 1_000).unref()

/**
 * Ends this worker if its run was killed. A killed run cannot end its workers, so each checks for itself, and also ends
 * the process that would start another worker.
 */
function endWithoutRun(): void {
  if (isAlive(runPid)) return
  if (process.ppid === parentPid) process.kill(parentPid, 'SIGKILL')
  process.exit(1)
}
