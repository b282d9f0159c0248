import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { openDatabase } from '#db/db'
import { type Embedded, embeddedStatus, startEmbedded } from '#db/embedded/start'
import { jobs, users } from '#db/schema'
import { ensureBuilt } from '#scripts/build'
import { type Program, startProgram, tortureToken } from '#scripts/torture/program'
import { openTarget, type Target } from '#scripts/torture/target'
import { untilReady } from '#scripts/until-ready'
import { backUp } from '#src/backup/back-up'
import { enqueue } from '#src/job/enqueue'
import { runWorker } from '#src/job/worker'
import { toneMp3 } from '#src/narration/testing'
import { createLog } from '#src/process/log'
import type { Finding } from '#src/setup/schema'
import { browser, memberPassword, testApp } from '#src/testing/app'
import { rejectionOf } from '#src/testing/rejection'
import { until } from '#src/testing/until'
import { requireDatabaseRoom } from './database-room'
import { watchRoom } from './room'
import { reserveBytes, shortageWords } from './rules'
import { mountSmallDisk, type SmallDisk } from './testing'

const root = join(import.meta.dir, '../..')
await ensureBuilt()
const { services } = await testApp()
const { db } = services
/** Without the right to mount, the test is skipped with a warning; torture.test.ts limits the size of files instead. */
const tiny = mountSmallDisk(1)
afterAll(() => tiny?.remove())

const asOperator = { authorization: `Bearer ${tortureToken}` }
const json = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' }
const text = 'She lit the lamp and waited, and he came up from the harbour. '.repeat(400)
let senders = 0

function send({ origin }: Target, path: string, body: unknown, headers = {}): Promise<Response> {
  senders += 1
  return fetch(origin + path, {
    method: 'POST',
    headers: { ...json, 'x-forwarded-for': `10.0.${senders >> 8}.${senders & 255}`, ...headers },
    body: JSON.stringify(body),
  })
}

function publishOn(target: Target): Promise<Response> {
  const story = { title: `The Lamp ${crypto.randomUUID()}`, content: text, categories: ['romantic'] }
  return send(target, '/api/stories', story, asOperator)
}

function registerOn(target: Target, email: string): Promise<Response> {
  return send(target, '/api/auth/register', { email, password: memberPassword })
}

async function uploadTo({ origin }: Target, item: string): Promise<Response> {
  const form = new FormData()
  form.set('audioFile', new Blob([await toneMp3(2)], { type: 'audio/mpeg' }), 'tone.mp3')
  return fetch(`${origin}/api/premium-content/${item}/upload-audio`, {
    method: 'POST',
    headers: asOperator,
    body: form,
  })
}

/** Announces the length of an upload and sends none of it; returns the status. */
function announceUpload({ origin }: Target, item: string, bytes: number): Promise<number> {
  const answered = Promise.withResolvers<number>()
  const upload = request(`${origin}/api/premium-content/${item}/upload-audio`, {
    method: 'POST',
    headers: {
      ...asOperator,
      'content-type': 'multipart/form-data; boundary=b',
      'content-length': bytes,
    },
  })
  upload.on('response', (response) => {
    answered.resolve(response.statusCode ?? 0)
    upload.destroy()
  })
  upload.on('error', answered.reject)
  upload.flushHeaders()
  return answered.promise
}

/** Repeats a request until it fails, since the free space is cached for some seconds. */
function untilFull(request: () => Promise<Response>): Promise<Response> {
  return until(async () => {
    const response = await request()
    return !response.ok && response
  })
}

/** Repeats a request until it succeeds. */
const untilTaken = (request: () => Promise<Response>) => until(async () => (await request()).ok)

function mustMount(megabytes: number): SmallDisk {
  const mounted = mountSmallDisk(megabytes)
  if (!mounted) throw new Error('The small disk was mounted a moment ago and is not now.')
  return mounted
}

async function doctor(databaseUrl: string, dataDir: string) {
  const child = Bun.spawn([process.execPath, 'cli/main.ts', 'doctor', '--json'], {
    cwd: root,
    env: { PATH: process.env.PATH, DATABASE_URL: databaseUrl, DATA_DIR: dataDir },
    stdout: 'pipe',
    stderr: 'ignore',
  })
  const findings: Finding[] = await new Response(child.stdout).json()
  return { findings, exitCode: await child.exited }
}

const refused = { success: false, code: 'unavailable', error: shortageWords.disk.message }

async function expectRefused(response: Response): Promise<void> {
  expect(await response.json()).toMatchObject(refused)
  expect(response.status).toBe(503)
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
}

describe.if(tiny !== null)('server on a disk that fills up', () => {
  let disk: SmallDisk
  let target: Target
  let item: string
  beforeAll(async () => {
    disk = mustMount(320)
    target = await openTarget({ dataDir: disk.folder })
    expect((await registerOn(target, 'before@example.com')).status).toBe(201)
    item = (await (await publishOn(target)).json()).id
    expect((await uploadTo(target, item)).status).toBe(200)
  })
  afterAll(async () => {
    await target?.stop()
    disk?.remove()
  })

  test('rejects an upload larger than the free space before its body is sent', async () => {
    expect(await announceUpload(target, item, 900 * 1024 * 1024)).toBe(503)
  })

  test('is not ready and rejects uploads below the reserve, but accepts small writes', async () => {
    await disk.fill(reserveBytes / 2)
    await expectRefused(await untilFull(() => fetch(`${target.origin}/readyz`)))
    expect((await fetch(`${target.origin}/healthz`)).status).toBe(200)
    await expectRefused(await untilFull(() => uploadTo(target, item)))
    expect((await registerOn(target, 'meanwhile@example.com')).status).toBe(201)
  })

  test('returns 503 for every failed write and loses no acknowledged one', async () => {
    await disk.fill(0)
    const taken: string[] = []
    const answers = await Promise.all(
      Array.from({ length: 60 }, async (_, at) => {
        if (at % 2 === 0) return publishOn(target)
        const email = `m${at}@example.com`
        const response = await registerOn(target, email)
        if (response.ok) taken.push(email)
        return response
      }),
    )
    const refused = answers.filter(({ ok }) => !ok)
    expect(refused.length).toBeGreaterThan(10)
    for (const each of refused) {
      expect([each.status, (await each.json()).code]).toEqual([503, 'unavailable'])
      expect(Number(each.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    disk.makeRoom()
    await untilReady(target.origin)
    const emails = (await target.db.select({ email: users.email }).from(users)).map(({ email }) => email)
    expect(emails).toEqual(expect.arrayContaining(['before@example.com', 'meanwhile@example.com', ...taken]))
    expect((await publishOn(target)).status).toBe(201)
    await untilTaken(() => uploadTo(target, item))
  })

  test('restarts its database after it went down on the full disk', async () => {
    await disk.fill(0)
    const { place } = await embeddedStatus(disk.folder)
    const postmaster = Number.parseInt(readFileSync(join(place, 'postmaster.pid'), 'utf8'), 10)
    process.kill(postmaster, 'SIGQUIT')
    await untilFull(() => fetch(`${target.origin}/readyz`))
    await expectUnavailable(await publishOn(target))
    disk.makeRoom()
    await untilReady(target.origin)
    expect((await publishOn(target)).status).toBe(201)
  })

  async function expectUnavailable(response: Response): Promise<void> {
    expect([response.status, (await response.json()).code]).toEqual([503, 'unavailable'])
  }
})

describe.if(tiny !== null)('server whose database has its own disk that fills up', () => {
  let disk: SmallDisk
  let database: Embedded
  let program: Program
  const dataDir = mkdtempSync(join(tmpdir(), 'nocturne-apart-'))
  beforeAll(async () => {
    disk = mustMount(320)
    database = await startEmbedded({ dataDir: disk.folder, log: () => {} })
    program = await startProgram({ dataDir, environment: { DATABASE_URL: database.url } })
  })
  afterAll(async () => {
    await program?.terminate()
    await database?.stop()
    disk?.remove()
    rmSync(dataDir, { recursive: true, force: true })
  })
  const findingsOfDatabase = async () =>
    (await doctor(database.url, dataDir)).findings.filter(({ subject }) => subject === 'database')

  test('is not ready, and the doctor says why, until there is room again', async () => {
    await disk.fill(reserveBytes / 2)
    const warned = await findingsOfDatabase()
    expect(warned.map(({ isRight }) => isRight)).toEqual([true, false])
    await disk.fill(0)
    await expectRefused(await untilFull(() => fetch(`${program.origin}/readyz`)))
    expect((await findingsOfDatabase()).map(({ what }) => what)).toContainEqual(
      'PostgreSQL could not write 64 MB to its own disk: it is full, or nearly.',
    )
    disk.makeRoom()
    await untilReady(program.origin)
    expect((await findingsOfDatabase()).every(({ isRight }) => isRight)).toBe(true)
  })

  test('passes the checks of /readyz and of the doctor with a temp_file_limit', async () => {
    const address = new URL(database.url)
    address.username = 'postgres'
    const superuser = openDatabase(address.href, { max: 1 })
    await superuser.execute(`alter role nocturne set temp_file_limit = '100kB'`)
    await superuser.close()
    // The program's own connections are older than the limit, and its last check is cached.
    const limited = openDatabase(database.url, { max: 1 })
    await requireDatabaseRoom(limited)
    await limited.close()
    expect((await findingsOfDatabase()).map(({ isRight }) => isRight)).toEqual([true])
  })
})

describe.if(tiny !== null)('free space below the reserve', () => {
  const folder = tiny?.folder ?? ''

  test('is logged once', async () => {
    const lines: string[] = []
    const watch = watchRoom({
      env: { dataDir: folder },
      log: createLog('info', (line) => void lines.push(line)),
    })
    await watch.stop()
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: 'error', message: 'the disk is full', reserveBytes },
    ])
  })

  test('prevents a backup from starting', async () => {
    expect(await rejectionOf(backUp({ ...services, by: 'Ada' }, join(folder, 'library.zip')))).toMatchObject({
      code: 'unavailable',
    })
    expect(existsSync(join(folder, 'library.zip'))).toBe(false)
  })

  test('is reported by the doctor with a fix', async () => {
    const { findings, exitCode } = await doctor('postgres://nobody@127.0.0.1:1/nothing', folder)
    expect(findings).toContainEqual({
      subject: 'disk',
      isRight: false,
      what: expect.stringContaining(shortageWords.disk.message),
      mend: expect.stringContaining('64 MB'),
    })
    expect(exitCode).toBe(1)
  })

  test('keeps jobs queued', async () => {
    const id = await enqueue(db, { kind: 'enhance', dedupeKey: 'waits', payload: {} })
    const made: string[] = []
    const worker = runWorker(
      { db, log: services.log, env: { dataDir: folder } },
      {
        concurrency: 1,
        handlers: { enhance: async (job) => void made.push(job.id) },
      },
    )
    await worker.stop()
    expect(made).toEqual([])
    expect(await stateOf(id)).toEqual({ state: 'queued', attempts: 0 })
    await db.delete(jobs)
  })
})

test('a job that hits a full disk is queued again without losing an attempt', async () => {
  const id = await enqueue(db, { kind: 'enhance', dedupeKey: 'fails', payload: {}, attemptsMax: 1 })
  const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC', syscall: 'write' })
  const tried = Promise.withResolvers<void>()
  const worker = runWorker(
    { db, log: services.log },
    {
      concurrency: 1,
      handlers: {
        async enhance() {
          tried.resolve()
          throw new Error('The sound could not be written.', { cause: full })
        },
      },
    },
  )
  await tried.promise
  await worker.stop()
  expect(await stateOf(id)).toEqual({ state: 'queued', attempts: 0 })
})

async function stateOf(id: string) {
  const [job] = await db
    .select({ state: jobs.state, attempts: jobs.attempts })
    .from(jobs)
    .where(eq(jobs.id, id))
  return job
}

test('a log on a full disk loses lines without stopping the program', async () => {
  const program = `
    import { createLog } from '#src/process/log'
    const log = createLog('info')
    for (let at = 0; at < 200; at += 1) log.info('a line that is longer than the disk has room for')
    process.stdout.write('alive')`
  const command = `trap '' XFSZ; ulimit -f 2; exec "$@" 2>"$LOG"`
  const log = join(services.env.dataDir, 'program.log')
  const child = Bun.spawn(['sh', '-c', command, 'sh', process.execPath, '-e', program], {
    cwd: root,
    env: { PATH: process.env.PATH, LOG: log },
    stdout: 'pipe',
    stderr: 'ignore',
  })
  expect(await new Response(child.stdout).text()).toBe('alive')
  expect(await child.exited).toBe(0)
  expect(Bun.file(log).size).toBe(1_024)
})

test('a write-protected disk makes requests and /readyz return 503 until it is writable again', async () => {
  // The disk is larger than the reserve.
  const disk = mountSmallDisk(2 * (reserveBytes / 1024 ** 2))
  if (!disk) return
  try {
    const { app } = await testApp({ DATA_DIR: disk.folder })
    const { call } = browser(app)
    disk.writeProtect()
    for (const path of ['/readyz', '/picture/site/a.png']) {
      const response = await call(path)
      expect(response.status).toBe(503)
      expect(await response.text()).toContain(shortageWords.disk.message)
    }
    disk.takeWrites()
    await until(async () => (await call('/readyz')).ok)
  } finally {
    disk.remove()
  }
})
