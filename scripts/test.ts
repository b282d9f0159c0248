import { delimiter, dirname, join } from 'node:path'
import { findChromium } from '#scripts/find-chromium'

/**
 * Everything that has to hold before a change lands, each group with its own output; the last line is always
 * `N passed, N failed`. A check (types, style, lock file, build, browser) counts as one. With arguments only
 * the test files whose path holds one of them run: `bun run test meter`.
 */
const root = join(import.meta.dir, '..')
const filters = process.argv.slice(2)
const totals = { passed: 0, failed: 0 }
/** By name, to be said again at the end: the output is long. */
const failures: string[] = []

/** What the tests start finds the Bun that runs this, also where npx brought it. */
const environment: Record<string, string | undefined> = {
  ...process.env,
  // As it is served: in development Elysia answers some hostile values otherwise.
  NODE_ENV: 'production',
  PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH ?? ''}`,
}

const unitTests = await listFiles('{cli,db,islands,scripts,src}/**/*.test.{ts,tsx}')
const browserTests = await listFiles('islands/*.e2e.ts')

if (filters.length === 0) {
  await check('Lock file', checkLock)
  await check('Types', () => run(['node_modules/typescript/bin/tsc', '--noEmit']))
  await check('Style', () => run(['node_modules/@biomejs/biome/bin/biome', 'check', '.']))
} else if (unitTests.length + browserTests.length === 0) {
  await check('Tests', async () => fail(`No test file has ${filters.join(' or ')} in its path.`))
}
// Tests that start the program, and browsers, load what the build made.
const isBuilt = await check('Build', () => run(['scripts/build.ts']))
if (unitTests.length > 0)
  await runTests('Unit and API tests', unitTests, { filesAtOnce: 12, timeoutSeconds: 40 })
if (browserTests.length > 0) await testInBrowser()

if (failures.length > 0) console.log(`\n== Failed\n${failures.join('\n')}`)
console.log(`\n${totals.passed} passed, ${totals.failed} failed`)
process.exit(totals.failed > 0 ? 1 : 0)

/** Without a build or without a browser no browser test can say anything: then all of them have failed. */
async function testInBrowser(): Promise<void> {
  const hasBrowser = await check('Browser', async () => {
    environment.CHROMIUM = await findChromium((line) => console.log(line))
    console.log(environment.CHROMIUM)
  })
  if (isBuilt && hasBrowser)
    await runTests('Browser tests', browserTests, { filesAtOnce: 1, timeoutSeconds: 120 })
  else {
    failures.push(...browserTests)
    totals.failed += browserTests.length
  }
}

/** The largest files first: nobody waits for a long one at the end. */
async function listFiles(pattern: string): Promise<string[]> {
  const paths = (await Array.fromAsync(new Bun.Glob(pattern).scan({ cwd: root }))).sort()
  const size = (path: string) => Bun.file(join(root, path)).size
  return paths
    .filter((path) => filters.length === 0 || filters.some((filter) => path.includes(filter)))
    .sort((one, other) => size(other) - size(one))
}

/** A lock file with addresses ties everyone to one registry; Bun writes none for the default one. */
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

async function run(script: string[]): Promise<void> {
  const child = Bun.spawn([process.execPath, ...script], {
    cwd: root,
    env: environment,
    stdin: 'ignore',
    stdout: 'inherit',
    stderr: 'inherit',
  })
  if ((await child.exited) !== 0) fail(`${script[0]} says no.`)
}

/**
 * Runs test files by batches, each in a process of its own, two at a time, and adds up what their summaries say:
 * much of the time goes into waiting, for a disk or a page. A third would leave nothing to the built-in voice,
 * which stands back on purpose. What a batch says comes when it is done.
 */
async function runTests(
  name: string,
  paths: string[],
  { filesAtOnce, timeoutSeconds }: { filesAtOnce: number; timeoutSeconds: number },
): Promise<void> {
  console.log(`\n== ${name}`)
  const files = paths.map((path) => `./${path}`)
  const work = async () => {
    while (files.length > 0) await runBatch(files.splice(0, filesAtOnce), timeoutSeconds)
  }
  await Promise.all([work(), work()])
}

async function runBatch(files: string[], timeoutSeconds: number): Promise<void> {
  const child = Bun.spawn([process.execPath, 'test', `--timeout=${timeoutSeconds * 1_000}`, ...files], {
    cwd: root,
    env: environment,
    stdin: 'ignore',
    stdout: 'inherit',
    stderr: 'pipe',
  })
  const said = await new Response(child.stderr).text()
  process.stdout.write(said)
  const isGood = (await child.exited) === 0
  const failed = countOf(said, 'fail')
  totals.passed += countOf(said, 'pass')
  // A run that dies has no summary: it counts as one failure.
  totals.failed += isGood ? failed : Math.max(1, failed)
  if (!isGood) failures.push(...files, ...new Set(plain(said).match(/^\(fail\) .*$/gm)))
}

/** The number before a word in the summary of `bun test`: " 12 pass". */
function countOf(summary: string, word: 'pass' | 'fail'): number {
  return Number([...plain(summary).matchAll(new RegExp(`^ *(\\d+) ${word}$`, 'gm'))].at(-1)?.[1] ?? 0)
}

/** Without its colours. */
function plain(said: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with this character
  return said.replace(/\u001b\[[0-9;]*m/g, '')
}

function fail(message: string): never {
  throw new Error(message)
}
