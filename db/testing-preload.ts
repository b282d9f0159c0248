import { afterAll, setDefaultTimeout } from 'bun:test'
import { isAlive } from './embedded/postmaster'
import { closeTestCluster } from './testing'

/**
 * bunfig.toml preloads this file for every `bun test`. An afterAll here runs once, after all files; in a worker of
 * `bun test --parallel`, after each.
 */
afterAll(closeTestCluster)

/** Generous: a time limit must catch tests that hang, not fail tests on a busy machine. */
setDefaultTimeout(240_000)

// Programs that tests start run as an operator's do, without what `scripts/test.ts` sets for the workers' engine.
delete process.env.BUN_JSC_useFTLJIT
delete process.env.MIMALLOC_PURGE_DELAY

const runPid = Number(process.env.TEST_RUN_PID)
const parentPid = process.ppid
if (runPid) setInterval(endWithoutRun, 1_000).unref()

/** A run that is killed cannot end its workers: each sees it, and ends the process that would start another. */
function endWithoutRun(): void {
  if (isAlive(runPid)) return
  if (process.ppid === parentPid) process.kill(parentPid, 'SIGKILL')
  process.exit(1)
}
