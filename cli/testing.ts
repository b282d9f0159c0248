import { afterAll } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, openDatabase } from '#db/db'
import { testDatabaseUrl } from '#db/testing'
import { until } from '#src/testing/until'

const main = join(import.meta.dir, 'main.ts')

export type Outcome = { code: number; out: string; err: string }
export type Terminal = {
  db: Database
  /** The test's temporary folder; DATA_DIR is inside it. */
  folder: string
  /** Environment variables of its commands. */
  environment: Record<string, string | undefined>
  /**
   * Runs `nocturne` with these words without a terminal, so that it cannot prompt. All commands run in one child process,
   * one after the other, because starting a process costs more than most commands.
   */
  run(...words: string[]): Promise<Outcome>
  /** Runs `nocturne` in a process of its own, which is killed when `isDue` returns true. */
  killWhen(isDue: () => Promise<boolean>, ...words: string[]): Promise<void>
  /** Like `runWith`, but the process gets SIGINT, as with Ctrl-C, when `isDue` returns true. */
  interruptWhen(isDue: () => Promise<boolean>, stdin: string, ...words: string[]): Promise<Outcome>
  /** Like `run`, but in a process of its own, with a text on standard input. */
  runWith(stdin: string, ...words: string[]): Promise<Outcome>
  /** Like `run` with --json. Returns the parsed output. */
  json(...words: string[]): Promise<unknown>
  /** Runs a line in a shell, so that `<`, `>` and `*` have their meaning. */
  type(line: string, environment?: Record<string, string>): Promise<Outcome>
}

/** Creates a terminal on a fresh database. Call it at the top of the file. */
export async function testTerminal(environment: Record<string, string> = {}): Promise<Terminal> {
  const url = await testDatabaseUrl()
  const db = openDatabase(url, { max: 2 })
  const folder = mkdtempSync(join(tmpdir(), 'nocturne-cli-'))
  afterAll(async () => {
    await db.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const place = {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      DATABASE_URL: url,
      DATA_DIR: join(folder, 'data'),
      NO_COLOR: '1',
      ...environment,
    },
  }
  const start = (stdin: string, words: readonly string[]) =>
    Bun.spawn([process.execPath, main, ...words], {
      ...place,
      stdin: new Blob([stdin]),
      stdout: 'pipe',
      stderr: 'pipe',
    })
  const runWith = (stdin: string, ...words: string[]) => outcomeOf(start(stdin, words))
  const run = openLines(place)
  return {
    db,
    folder,
    environment: place.env,
    run,
    runWith,
    async killWhen(isDue, ...words) {
      const child = start('', words)
      await sendWhen(isDue, child, 'SIGKILL')
      await child.exited
    },
    async interruptWhen(isDue, stdin, ...words) {
      const child = start(stdin, words)
      await sendWhen(isDue, child, 'SIGINT')
      return outcomeOf(child)
    },
    async json(...words) {
      const { code, out, err } = await run(...words, '--json')
      if (code !== 0) throw new Error(`nocturne ${words.join(' ')} ended with ${code}: ${err}`)
      return JSON.parse(out)
    },
    type: (line, more = {}) =>
      outcomeOf(
        Bun.spawn(['bash', '-c', `nocturne() { "$BUN" "$MAIN" "$@"; }; ${line}`], {
          cwd: folder,
          env: { ...place.env, BUN: process.execPath, MAIN: main, ...more },
          stdin: 'ignore',
          stdout: 'pipe',
          stderr: 'pipe',
        }),
      ),
  }
}

/** Returns a function that runs command lines one after the other in one process. It ends after the test file. */
function openLines(place: { cwd: string; env: Terminal['environment'] }): Terminal['run'] {
  let answer: (outcome: Outcome) => void = () => {}
  let child: Bun.Subprocess | undefined
  let last: Promise<unknown> = Promise.resolve()
  afterAll(async () => {
    child?.kill()
    await child?.exited
  })
  const start = () =>
    Bun.spawn([process.execPath, join(import.meta.dir, 'testing-lines.ts')], {
      ...place,
      stdin: 'ignore',
      stdout: 'inherit',
      stderr: 'inherit',
      ipc: (outcome: Outcome) => answer(outcome),
    })
  const send = (words: readonly string[]) =>
    new Promise<Outcome>((resolve, reject) => {
      answer = resolve
      child ??= start()
      child.exited.then(() => reject(new Error(`nocturne ${words.join(' ')} ended the process.`)))
      child.send(words)
    })
  return (...words) => {
    const outcome = last.then(() => send(words))
    last = outcome.catch(() => {})
    return outcome
  }
}

async function sendWhen(
  isDue: () => Promise<boolean>,
  child: Bun.Subprocess,
  signal: NodeJS.Signals,
): Promise<void> {
  await until(async () => child.exitCode !== null || (await isDue()))
  if (child.exitCode !== null) throw new Error(`The command ended before it was sent ${signal}.`)
  child.kill(signal)
}

async function outcomeOf(child: Bun.Subprocess<Blob | 'ignore', 'pipe', 'pipe'>): Promise<Outcome> {
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { code: await child.exited, out, err }
}
