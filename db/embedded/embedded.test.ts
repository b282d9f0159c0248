import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { connect } from '#db/connect'
import { isUnavailable } from '#db/failures'
import { rejectionOf } from '#src/testing/rejection'
import { until } from '#src/testing/until'
import { findBinaries } from './binaries'
import { findPlace } from './place'
import { isAlive } from './postmaster'
import { prepareLaunch } from './root'
import { type Embedded, embeddedStatus, startEmbedded } from './start'

// These tests run real programs on a real disk. A busy machine may take several times the usual second.
const folder = mkdtempSync(join(tmpdir(), 'nocturne-embedded-'))
/** Creating a cluster takes a second, so tests that do not need a new one share this one. */
const dataDir = join(folder, 'data')
const log = () => {}
const isRoot = process.getuid?.() === 0

const started: Embedded[] = []
const start = async (options: Partial<Parameters<typeof startEmbedded>[0]> = {}) => {
  const embedded = await startEmbedded({ dataDir, log, ...options })
  started.push(embedded)
  return embedded
}

afterEach(async () => {
  for (const embedded of started.splice(0)) await embedded.stop()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('the status before the first start is “absent”, and reading it creates nothing', async () => {
  expect(await embeddedStatus(dataDir)).toEqual({
    state: 'absent',
    place: join(dataDir, 'postgres', 'cluster'),
  })
  expect(existsSync(dataDir)).toBe(false)
})

test('the first start creates a UTF-8 database with a non-superuser role in a private folder', async () => {
  const { url, adopted, place } = await start()
  expect(adopted).toBe(false)
  expect(await embeddedStatus(dataDir)).toMatchObject({ state: 'running', place, version: '18.4' })
  expect(
    await query(url, "select lower('ÉÄ') as lower, current_setting('server_encoding') as encoding"),
  ).toEqual({
    lower: 'éä',
    encoding: 'UTF8',
  })
  expect(await query(url, 'select rolsuper from pg_roles where rolname = current_user')).toEqual({
    rolsuper: false,
  })
  expect(statSync(join(dataDir, 'postgres')).mode & 0o777).toBe(0o700)
})

test('stop leaves no process, socket or PID file, and the data survive a restart', async () => {
  const first = await start()
  await query(first.url, 'create table kept as select 42 as answer')
  const { pid } = await embeddedStatus(dataDir)
  await first.stop()
  expect(await embeddedStatus(dataDir)).toMatchObject({ state: 'stopped', version: '18' })
  await until(() => isGone(pid))
  expect(readdirSync(join(dataDir, 'postgres')).sort()).toEqual(['cluster', 'lock', 'postgres.log'])

  const second = await start()
  expect(second.adopted).toBe(false)
  expect(await query(second.url, 'select answer from kept')).toEqual({ answer: 42 })
})

test('the server stops when its last user stops', async () => {
  const server = await start()
  const command = await start()
  expect(command.adopted).toBe(true)
  expect(command.url).toBe(server.url)

  await server.stop()
  expect(await query(command.url, 'select 1 as one')).toEqual({ one: 1 })
  await command.stop()
  expect((await embeddedStatus(dataDir)).state).toBe('stopped')
})

test('a client that is not Nocturne keeps the server running', async () => {
  const { url, stop } = await start()
  const psql = connect(url, { max: 1 })
  await psql`select 1`
  await stop()
  expect((await embeddedStatus(dataDir)).state).toBe('running')
  await psql.end()
  await (await start()).stop()
})

test('the server outlives a killed program, does not keep its output open, and is adopted by the next', async () => {
  const program = spawnStarter(dataDir)
  const { adopted } = await program.started
  expect(adopted).toBe(false)
  const { pid } = await embeddedStatus(dataDir)
  program.kill(9)
  // Resolves once no process holds the other end of the pipe.
  await program.outputEnd

  const again = await start()
  expect(again.adopted).toBe(true)
  expect((await embeddedStatus(dataDir)).pid).toBe(pid)
})

test('a program killed during initdb leaves no partial cluster, and only one later starter starts the server', async () => {
  const empty = await killDuringInitdb()
  const programs = [spawnStarter(empty), spawnStarter(empty)]
  const here = start({ dataDir: empty })
  const all = await Promise.all([here, ...programs.map((program) => program.started)])
  expect(all.map(({ adopted }) => adopted).sort()).toEqual([false, true, true])
  for (const program of programs) program.kill(9)
  const { url, stop } = await here
  // It takes the server a moment to detect that both processes have ended. Then ours is the last one.
  const holds = "select count(*)::int as n from pg_stat_activity where application_name = 'nocturne hold'"
  await until(async () => (await query(url, holds))?.n === 1)
  await stop()

  // The orphaned initdb may have continued for a moment. By now it has ended, and its files are removed.
  await start({ dataDir: empty })
  expect(readdirSync(join(empty, 'postgres')).filter((name) => name.startsWith('cluster'))).toEqual([
    'cluster',
  ])
})

test('a stale postmaster.pid with the PID of another process does not prevent a start', async () => {
  const { stop, place } = await start()
  await stop()
  writeFileSync(join(place, 'postmaster.pid'), `${process.pid}\n${place}\n1\n5432\n${dirname(place)}\n\n`)
  expect((await embeddedStatus(dataDir)).state).toBe('stopped')
  expect((await start()).adopted).toBe(false)
})

test('no acknowledged write is lost when the server is killed five times under load', async () => {
  const { url, place } = await start()
  await query(url, 'create table writes (n int primary key)')
  const acknowledged: number[] = []
  const writesLater = (count: number) => {
    const before = acknowledged.length
    return until(() => acknowledged.length >= before + count)
  }
  const over = new AbortController()
  const writers = [1, 2, 3, 4].map((first) => writeUntil(over.signal, url, first, acknowledged))
  for (let kills = 0; kills < 5; kills++) {
    await writesLater(30)
    await killServer(place)
    // A busy backend outlives its postmaster for a while and continues to write. Wait for the next postmaster.
    await until(() => isAnswering(url))
  }
  await writesLater(30)
  over.abort()
  await Promise.all(writers)

  const sql = connect(url, { max: 1 })
  const rows = await sql<{ n: number }[]>`select n from writes`
  const written = new Set(rows.map(({ n }) => n))
  expect(acknowledged.filter((n) => !written.has(n))).toEqual([])
  await sql.end()
})

describe('data folder with a long path', () => {
  const long = join(
    folder,
    'a-name-that-is-long-enough-to-fill-the-hundred-bytes-of-a-socket-address',
    'data',
  )
  let sockets = ''
  afterAll(() => rmSync(sockets, { recursive: true }))

  test('has its socket in /tmp', async () => {
    mkdirSync(join(long, 'postgres'), { recursive: true, mode: 0o700 })
    cpSync(join(dataDir, 'postgres', 'cluster'), join(long, 'postgres', 'cluster'), { recursive: true })
    const { url } = await start({ dataDir: long })
    sockets = new URL(url).searchParams.get('host') ?? ''
    expect(sockets).toMatch(/^\/tmp\/nocturne-[0-9a-f]{16}$/)
    expect(await query(url, 'select answer from kept')).toEqual({ answer: 42 })
  })

  test('does not get an empty cluster when its own is removed under a running program', async () => {
    const messages: string[] = []
    const { place } = await start({ dataDir: long, log: (message) => messages.push(message) })
    const pid = Number.parseInt(await Bun.file(join(place, 'postmaster.pid')).text(), 10)
    rmSync(place, { recursive: true })
    process.kill(pid, 'SIGKILL')
    await until(() => messages.some((message) => message.includes('is gone. Put it back')))
    expect(existsSync(place)).toBe(false)
  })
})

test('a cluster of another PostgreSQL version is rejected with a message about backups', async () => {
  const old = join(folder, 'old')
  mkdirSync(join(old, 'postgres', 'cluster'), { recursive: true, mode: 0o700 })
  writeFileSync(join(old, 'postgres', 'cluster', 'PG_VERSION'), '17\n')
  expect((await rejectionOf(start({ dataDir: old }))).message).toMatch(
    /PostgreSQL 17, this is PostgreSQL 18.*backup/,
  )
})

describe('error for missing PostgreSQL binaries', () => {
  test('names DATABASE_URL on a platform without a package', async () => {
    expect((await rejectionOf(findBinaries({ platform: 'freebsd', arch: 'x64' }))).message).toMatch(
      /freebsd-x64.*DATABASE_URL/,
    )
  })
  test('names DATABASE_URL on a system without glibc', async () => {
    const alpine = { platform: 'linux', arch: 'x64', exists: () => false }
    expect((await rejectionOf(findBinaries(alpine))).message).toMatch(/glibc.*Alpine.*DATABASE_URL/)
  })
})

describe.if(isRoot)('start as root without namespaces', () => {
  const closed = join(folder, 'closed')
  // A short path, because a socket is created below it, also when a run stores in memory and its process id has seven
  // digits.
  const root = { namespaces: false, elsewhere: `${folder}-away` }
  afterAll(() => rmSync(root.elsewhere, { recursive: true, force: true }))

  test('runs the server as another user, with the cluster moved to where that user can reach it', async () => {
    chmodSync(folder, 0o700)
    mkdirSync(join(closed, 'postgres'), { recursive: true, mode: 0o700 })
    cpSync(join(dataDir, 'postgres', 'cluster'), join(closed, 'postgres', 'cluster'), { recursive: true })
    const messages: string[] = []
    const first = await start({ dataDir: closed, root, log: (message) => messages.push(message) })
    expect(dirname(dirname(first.place))).toBe(root.elsewhere)
    expect(messages.join()).toContain(dirname(first.place))
    expect(await query(first.url, 'select answer from kept')).toEqual({ answer: 42 })
    const { pid, place } = await embeddedStatus(closed)
    expect(place).toBe(first.place)
    expect(statSync(`/proc/${pid}`).uid).not.toBe(0)
    await first.stop()

    const second = await start({ dataDir: closed })
    expect(second.place).toBe(first.place)
    expect(await query(second.url, 'select answer from kept')).toEqual({ answer: 42 })
  })

  test('does not create a new cluster when the moved one is missing', async () => {
    rmSync(root.elsewhere, { recursive: true })
    expect((await rejectionOf(start({ dataDir: closed }))).message).toMatch(/moved-to says.*not there.*Mount/)
  })

  test('keeps a readable data folder in place, and copies binaries that the other user cannot reach', async () => {
    const open = mkdtempSync(join(tmpdir(), 'nocturne-embedded-open-'))
    chmodSync(open, 0o755)
    const installed = await findBinaries()
    const hidden = join(folder, 'hidden')
    cpSync(installed.native, join(hidden, 'native'), { recursive: true, verbatimSymlinks: true })
    const place = await findPlace(open)
    const launch = await prepareLaunch(place, { ...installed, native: join(hidden, 'native') }, log, root)
    expect(launch.place.home).toBe(join(open, 'postgres', 'home'))
    expect(launch.binaries.native).toStartWith(launch.place.home)
    rmSync(open, { recursive: true })
  })
})

/** Returns a data folder in which a program was killed before its cluster was complete. */
async function killDuringInitdb(): Promise<string> {
  for (let attempt = 1; ; attempt += 1) {
    const dataDir = join(folder, `killed ${attempt}`)
    const program = spawnStarter(dataDir)
    const place = join(dataDir, 'postgres')
    await until(() => existsSync(place) && readdirSync(place).length > 2)
    await program.kill(9)
    if (!existsSync(join(place, 'cluster'))) return dataDir
    // This process stalled, and initdb has ended before the kill.
    await (await start({ dataDir })).stop()
  }
}

function spawnStarter(dataDir: string) {
  const code = `
    const { startEmbedded } = await import('#db/embedded/start')
    const { adopted } = await startEmbedded({ dataDir: ${JSON.stringify(dataDir)}, log: () => {} })
    console.log(JSON.stringify({ adopted }))
    // Ends with the test, even one that is killed.
    for await (const _ of Bun.stdin.stream());
    process.exit()`
  const child = Bun.spawn([process.execPath, '-e', code], {
    cwd: join(import.meta.dir, '../..'),
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = child.stdout.pipeThrough(new TextDecoderStream()).getReader()
  const started = lines.read().then(({ value }): { adopted: boolean } => JSON.parse(value ?? 'null'))
  const outputEnd = started.then(() => lines.read())
  const kill = (signal: number) => {
    child.kill(signal)
    return child.exited
  }
  return { started, outputEnd, kill }
}

/**
 * Writes every fourth number. A write in progress when the connection is lost is left out, because it is unknown
 * whether it was committed.
 */
async function writeUntil(
  over: AbortSignal,
  url: string,
  first: number,
  acknowledged: number[],
): Promise<void> {
  const dial = () => connect(url, { max: 1, fetch_types: false })
  let sql = dial()
  for (let n = first; !over.aborted; n += 4) {
    try {
      await sql`insert into writes values (${n})`
      acknowledged.push(n)
    } catch (error) {
      if (!isUnavailable(error)) throw error
      // A new client, because postgres.js 3.4.9 takes seconds to recover a connection that broke in the middle of a
      // query.
      void sql.end({ timeout: 0 })
      sql = dial()
      await Bun.sleep(10)
    }
  }
  await sql.end()
}

async function killServer(place: string): Promise<void> {
  const pid = Number.parseInt(await Bun.file(join(place, 'postmaster.pid')).text(), 10)
  const command = await Bun.file(`/proc/${pid}/cmdline`).text()
  if (!command.includes(place)) throw new Error(`Process ${pid} is not the server.`)
  process.kill(pid, 'SIGKILL')
  await until(() => isGone(pid))
}

/** Whether the server accepts new connections. */
async function isAnswering(url: string): Promise<boolean> {
  try {
    await query(url, 'select 1')
    return true
  } catch (error) {
    if (isUnavailable(error)) return false
    throw error
  }
}

async function query(url: string, question: string): Promise<Record<string, unknown> | undefined> {
  const sql = connect(url, { max: 1 })
  try {
    const [row] = await sql.unsafe(question)
    return row
  } finally {
    await sql.end()
  }
}

/** Whether a process has ended. A zombie counts as ended: it has no working folder any more. */
function isGone(pid: number | undefined): boolean {
  return pid === undefined || !isAlive(pid) || !existsSync(`/proc/${pid}/cwd`)
}
