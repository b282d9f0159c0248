import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { startTestCluster } from '#db/testing-cluster'
import { findChromium, findHeadlessShell } from '#scripts/find-chromium'
import { closeRunFolder, openRunFolder, temporaryPlace } from '#scripts/run-folder'

/**
 * Runs everything that has to pass before a change lands. The last line is always `N passed, N failed`, and each
 * failure is repeated above it. A check (types, style, lock file, build, browser) counts as one. With arguments, only
 * test files whose path contains one of them run: `bun run test meter`.
 */
const root = join(import.meta.dir, '..')
const filters = process.argv.slice(2)
const totals = { passed: 0, failed: 0 }
const failures: string[] = []
/** Half of a browser test is waiting for sound and timers, so two workers for each core keep all cores busy. */
const workers = availableParallelism() * 2

/**
 * Settings of the JavaScript engine for the workers. Their code runs too few times to pay for the last compiler, and
 * freed memory is soon requested again, so it is retained for two seconds. This saves a sixth of their processor time.
 * `db/testing-preload.ts` removes both settings for the programs that tests start.
 */
const workerEngine = { BUN_JSC_useFTLJIT: '0', MIMALLOC_PURGE_DELAY: '2000' }

/** Child processes find the Bun that runs this on their PATH, even if npx has installed it. */
const environment: Record<string, string | undefined> = {
  ...process.env,
  // As in production: in development Elysia answers some hostile values differently.
  NODE_ENV: 'production',
  PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH ?? ''}`,
  TEST_RUN_PID: String(process.pid),
  // The output is parsed below.
  NO_COLOR: '1',
  FORCE_COLOR: undefined,
}

// The folders of the cluster and of the run are created there.
process.env.TMPDIR ??= await temporaryPlace()

const unitTests = await listFiles('{cli,db,islands,scripts,src}/**/*.test.{ts,tsx}')
const browserTests = await listFiles('e2e/*.e2e.ts')

if (filters.length === 0) {
  await check('Lock file', checkLock)
} else if (unitTests.length + browserTests.length === 0) {
  await check('Tests', async () => fail(`No test file has ${filters.join(' or ')} in its path.`))
}
const codeChecks = {
  Types: ['node_modules/typescript/bin/tsc', '--noEmit'],
  Style: ['node_modules/@biomejs/biome/bin/biome', 'check', '.'],
  Floors: ['scripts/check-imports.ts'],
  Functions: ['scripts/check-functions.ts'],
  Comments: ['scripts/check-comments.ts'],
  Unused: ['node_modules/knip/bin/knip-bun.js'],
}
// Tests that start the program, and browsers, load the build. While it is made, packages are fetched and PostgreSQL
// starts.
const started = startChecks({ ...(filters.length === 0 && codeChecks), Build: ['scripts/build.ts'] })
const starting = startTestCluster()
const hasBrowser = browserTests.length > 0 && (await provideBrowser())
await finishChecks(started)
const cluster = await starting
const files = hasBrowser ? [...unitTests, ...browserTests] : unitTests
if (files.length > 0) {
  const folder = await openRunFolder()
  environment.TEST_CLUSTER_URL = cluster.url
  environment.TMPDIR = folder
  await runTests(files)
  await closeRunFolder(folder)
}
await cluster.stop()

if (failures.length > 0) console.log(`\n== Failed\n\n${failures.join('\n\n')}`)
console.log(`\n${totals.passed} passed, ${totals.failed} failed`)
process.exit(totals.failed > 0 ? 1 : 0)

/** Finds a Chromium for the workers, each of which starts its own. Without one every browser test fails. */
async function provideBrowser(): Promise<boolean> {
  const hasBrowser = await check('Browser', async () => {
    const log = (line: string) => console.log(line)
    environment.CHROMIUM = await findChromium(log)
    environment.HEADLESS_SHELL = (await findHeadlessShell(log)) ?? environment.CHROMIUM
    log(`${environment.HEADLESS_SHELL}; for push ${environment.CHROMIUM}`)
  })
  if (!hasBrowser) {
    failures.push(...browserTests)
    totals.failed += browserTests.length
  }
  return hasBrowser
}

async function listFiles(pattern: string): Promise<string[]> {
  const paths = (await Array.fromAsync(new Bun.Glob(pattern).scan({ cwd: root }))).sort()
  return paths.filter((path) => filters.length === 0 || filters.some((filter) => path.includes(filter)))
}

/**
 * Fails if the lock file contains an address, which binds its users to one registry. For the default registry Bun
 * writes none.
 */
async function checkLock(): Promise<void> {
  const lines = (await Bun.file(join(root, 'bun.lock')).text()).split('\n')
  const at = lines.findIndex((line) => /https?:\/\//.test(line))
  if (at >= 0) fail(`bun.lock names an address in line ${at + 1}. Install again with the default registry.`)
}

async function check(name: string, work: () => Promise<unknown>): Promise<boolean> {
  console.log(`\n== ${name}`)
  try {
    await work()
    totals.passed += 1
    return true
  } catch (error) {
    console.log(error instanceof Error ? error.message : String(error))
    failures.push(name)
    totals.failed += 1
    return false
  }
}

type Check = { name: string; script: string[]; outcome: ReturnType<typeof run> }

/** Starts the checks all at once, because most of them use only one core. */
function startChecks(scripts: Record<string, string[]>): Check[] {
  return Object.entries(scripts).map(([name, script]) => ({ name, script, outcome: run(script) }))
}

/** Waits for the checks, and prints their output in order. */
async function finishChecks(checks: readonly Check[]): Promise<void> {
  for (const { name, script, outcome } of checks)
    await check(name, async () => {
      const { output, isGood } = await outcome
      if (output !== '') console.log(output)
      if (!isGood) fail(`${script[0]} says no.`)
    })
}

async function run(script: string[]): Promise<{ output: string; isGood: boolean }> {
  const child = Bun.spawn([process.execPath, ...script], {
    cwd: root,
    env: environment,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const texts = await Promise.all([child.stdout, child.stderr].map((stream) => new Response(stream).text()))
  return { output: texts.join('').trim(), isGood: (await child.exited) === 0 }
}

/**
 * Runs test files in processes that keep their modules from file to file, the slowest first according to
 * `test-timings.json` (written by `--update-timings`), and adds up the summaries.
 */
async function runTests(paths: string[]): Promise<void> {
  console.log('\n== Tests')
  // The timeout is for tests that hang. A busy machine stays below it.
  const flags = [
    `--parallel=${workers}`,
    '--no-isolate',
    '--timings=scripts/test-timings.json',
    '--timeout=240000',
  ]
  const child = spawn(process.execPath, ['test', ...flags, ...paths.map((path) => `./${path}`)], {
    cwd: root,
    env: { ...environment, ...workerEngine },
    stdio: ['ignore', 'inherit', 'pipe'],
  })
  process.once('exit', () => child.kill())
  const closed = once(child, 'close')
  const counts = { pass: 0, fail: 0, error: 0 }
  let currentLines: string[] = []
  let file = ''
  let hasSummary = false
  for await (const line of createInterface({ input: child.stderr })) {
    console.log(line)
    file = /^(\S+\.tsx?):$/.exec(line)?.[1] ?? file
    if (line !== '') currentLines.push(line)
    const [, count, word] = /^ *(\d+) (pass|fail|error)s?$/.exec(line) ?? []
    if (word === 'pass' || word === 'fail' || word === 'error') counts[word] = Number(count)
    hasSummary ||= /^\d+ tests? failed:$/.test(line)
    if (/^(\(fail\)|✗) /.test(line) && !hasSummary) failures.push([file, ...currentLines].join('\n'))
    if (/^(\((pass|fail|skip)\)|✗) |^\S+:$/.test(line)) currentLines = []
  }
  // A run that crashes has no summary, and counts as one failure.
  const isGood = (await closed)[0] === 0
  totals.passed += counts.pass
  totals.failed += isGood ? 0 : Math.max(1, counts.fail + counts.error)
}

function fail(message: string): never {
  throw new Error(message)
}
