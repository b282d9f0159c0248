import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '#db/db'
import { testDatabaseUrl } from '#db/testing'
import { createLog } from '#src/process/log'
import { untrustedProxyNotes } from '#src/server/untrusted-proxy'
import type { Finding } from '#src/setup/schema'

const url = await testDatabaseUrl()

test('doctor reports the outbox without SMTP_URL, and an unreachable SMTP server without its password', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'nocturne-doctor-'))
  const mailFinding = async (environment: Record<string, string>) => {
    const child = Bun.spawn([process.execPath, join(import.meta.dir, 'main.ts'), 'doctor', '--json'], {
      env: { PATH: process.env.PATH, DATABASE_URL: url, DATA_DIR: dataDir, ...environment },
      stdout: 'pipe',
      stderr: 'ignore',
    })
    const findings: { subject: string }[] = await new Response(child.stdout).json()
    return findings.find(({ subject }) => subject === 'mail')
  }
  try {
    expect(await mailFinding({})).toMatchObject({
      isRight: true,
      what: `put into ${join(dataDir, 'outbox')} (0 files), since SMTP_URL is not set`,
    })
    const away = await mailFinding({ SMTP_URL: 'smtp://someone:a-secret@127.0.0.1:1' })
    expect(away).toMatchObject({
      isRight: false,
      what: 'SMTP_URL names 127.0.0.1:1, and nothing listens there.',
    })
    expect(JSON.stringify(away)).not.toContain('a-secret')
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
})

test('doctor reports the age of the last backup, and warns if there is none or it is old', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'nocturne-doctor-'))
  const nocturne = (...words: string[]) =>
    Bun.spawn([process.execPath, join(import.meta.dir, 'main.ts'), ...words], {
      env: { PATH: process.env.PATH, DATABASE_URL: url, DATA_DIR: dataDir },
      stdout: 'pipe',
      stderr: 'ignore',
    })
  const backupFinding = async () => {
    const findings: { subject: string }[] = await new Response(nocturne('doctor', '--json').stdout).json()
    return findings.find(({ subject }) => subject === 'backup')
  }
  try {
    expect(await backupFinding()).toMatchObject({
      isRight: true,
      what: 'none was made by nocturne backup yet',
      mend: 'Make one: nocturne backup library.zip, and keep it on another machine.',
    })
    expect(await new Response(nocturne('doctor').stdout).text()).toContain('\nwarn backup: none was made')
    expect(await nocturne('backup', join(dataDir, 'library.zip')).exited).toBe(0)
    const fresh = await backupFinding()
    expect(fresh).toMatchObject({ isRight: true, what: 'the last was made today' })
    expect(fresh).not.toHaveProperty('mend')
    const db = openDatabase(url, { max: 1 })
    await db.execute("update audit_log set at = at - interval '8 days' where action = 'backup'")
    await db.close()
    expect(await backupFinding()).toMatchObject({
      isRight: true,
      what: 'the last was made 8 days ago',
      mend: expect.stringContaining('nocturne backup'),
    })
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
})

test('doctor reports an unusable custom page, and a replica that is not a standby of this database', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'nocturne-doctor-'))
  try {
    mkdirSync(join(dataDir, 'pages'))
    writeFileSync(join(dataDir, 'pages/terms.md'), '# Terms')
    writeFileSync(join(dataDir, 'pages/help.md'), '')
    const child = Bun.spawn([process.execPath, join(import.meta.dir, 'main.ts'), 'doctor', '--json'], {
      env: { PATH: process.env.PATH, DATABASE_URL: url, DATABASE_REPLICA_URL: url, DATA_DIR: dataDir },
      stdout: 'pipe',
      stderr: 'ignore',
    })
    const findings: { subject: string }[] = await new Response(child.stdout).json()
    expect(findings.filter(({ subject }) => subject === 'page')).toEqual([
      expect.objectContaining({ isRight: true, what: `${join(dataDir, 'pages/terms.md')} is shown` }),
      expect.objectContaining({ isRight: false, what: `${join(dataDir, 'pages/help.md')}: It is empty.` }),
    ])
    expect(findings.find(({ subject }) => subject === 'replica')).toMatchObject({
      isRight: false,
      what: 'it is no streaming standby of this database, and not read from.',
    })
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
})

test('doctor reports an untrusted forwarding proxy, with the TRUST_PROXY value to set', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'nocturne-doctor-'))
  const proxyFindings = async (environment: Record<string, string> = {}) => {
    const child = Bun.spawn([process.execPath, join(import.meta.dir, 'main.ts'), 'doctor', '--json'], {
      env: { PATH: process.env.PATH, DATABASE_URL: url, DATA_DIR: dataDir, ...environment },
      stdout: 'pipe',
      stderr: 'ignore',
    })
    const findings: { subject: string }[] = await new Response(child.stdout).json()
    return findings.filter(({ subject }) => subject === 'proxy')
  }
  const db = openDatabase(url, { max: 1 })
  try {
    expect(await proxyFindings()).toEqual([])
    // A server records the proxy in the database, because at the time of `doctor` it may be off or on another machine.
    const noted = Promise.withResolvers<void>()
    untrustedProxyNotes({ db, log: createLog('warn', () => noted.resolve()) })('172.17.0.1')
    await noted.promise
    // The record is written on the pool's only connection, so before this query.
    await db.execute('select 1')
    expect(await proxyFindings()).toEqual([
      expect.objectContaining({ isRight: false, mend: expect.stringContaining('TRUST_PROXY=172.17.0.1') }),
    ])
    expect(await proxyFindings({ TRUST_PROXY: '172.16.0.0/12' })).toEqual([])
  } finally {
    await db.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
})

test('doctor reports a database that is read-only by default_transaction_read_only', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'nocturne-doctor-'))
  const databaseUrl = await testDatabaseUrl()
  const name = new URL(databaseUrl).pathname.slice(1)
  const db = openDatabase(databaseUrl, { max: 1 })
  try {
    await db.execute(`alter database "${name}" set default_transaction_read_only = on`)
    const child = Bun.spawn([process.execPath, join(import.meta.dir, 'main.ts'), 'doctor', '--json'], {
      env: { PATH: process.env.PATH, DATABASE_URL: databaseUrl, DATA_DIR: dataDir },
      stdout: 'pipe',
      stderr: 'ignore',
    })
    const findings: { subject: string }[] = await new Response(child.stdout).json()
    expect(findings.find(({ subject }) => subject === 'database')).toMatchObject({
      isRight: false,
      what: expect.stringContaining('it only reads'),
      mend: expect.stringContaining('default_transaction_read_only'),
    })
  } finally {
    await db.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
})

async function findingsOf(environment: Record<string, string>): Promise<Finding[]> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'main.ts'), 'doctor', '--json'], {
    env: { PATH: process.env.PATH, ...environment },
    stdout: 'pipe',
    stderr: 'ignore',
  })
  return new Response(child.stdout).json()
}

async function badFindings(environment: Record<string, string>): Promise<string[]> {
  return (await findingsOf(environment)).filter(({ isRight }) => !isRight).map(({ what }) => what)
}

test('doctor reports a mistyped DATA_DIR and does not create it', async () => {
  const dataDir = join(mkdtempSync(join(tmpdir(), 'nocturne-doctor-')), 'mistyped')
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'main.ts'), 'doctor'], {
    env: { PATH: process.env.PATH, DATA_DIR: dataDir },
    stdout: 'pipe',
    stderr: 'ignore',
  })
  const text = await new Response(child.stdout).text()
  expect(text).toContain(`\nwarn data folder: ${dataDir} is not there yet: the first start makes it`)
  expect(text).toContain(`\nok   database: there is none at ${join(dataDir, 'postgres/cluster')} yet`)
  expect(await child.exited).toBe(0)
  expect(existsSync(dataDir)).toBe(false)
})

test('doctor names the setting and the cause for each server that it cannot reach', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'nocturne-doctor-'))
  const plain = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
  const keys = { S3_BUCKET: 'audio', S3_ACCESS_KEY_ID: 'key', S3_SECRET_ACCESS_KEY: 'secret' }
  try {
    expect(
      await badFindings({
        DATA_DIR: dataDir,
        DATABASE_URL: 'postgres://ada:moonlight@127.0.0.1:1/nocturne',
        SMTP_URL: 'smtp://nobody.invalid',
        S3_ENDPOINT: 'http://127.0.0.1:1',
        ...keys,
      }),
    ).toEqual([
      'DATABASE_URL names 127.0.0.1:1, and nothing listens there.',
      'S3_ENDPOINT names http://127.0.0.1:1, and nothing listens there.',
      'SMTP_URL names nobody.invalid, and there is no server of that name.',
    ])
    expect(
      await badFindings({
        DATA_DIR: dataDir,
        DATABASE_URL: 'postgres://ada:moonlight@nobody.invalid/nocturne',
        SMTP_URL: `smtps://127.0.0.1:${plain.port}`,
        S3_ENDPOINT: 'https://nobody.invalid',
        ...keys,
      }),
    ).toEqual([
      'DATABASE_URL names nobody.invalid:5432, and there is no server of that name.',
      'S3_ENDPOINT names https://nobody.invalid, and there is no server of that name.',
      `SMTP_URL names 127.0.0.1:${plain.port}, which does not speak TLS.`,
    ])
  } finally {
    await plain.stop(true)
    rmSync(dataDir, { recursive: true, force: true })
  }
})

test('doctor names the URL that fails when the pooler and PostgreSQL are on one host', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'nocturne-doctor-'))
  try {
    const [away, own] = ['postgres://ada@127.0.0.1:1/nocturne', 'postgres://ada@127.0.0.1:2/nocturne']
    for (const [environment, what] of [
      [{ DATABASE_URL: away, DATABASE_DIRECT_URL: own }, 'DATABASE_URL names 127.0.0.1:1'],
      [{ DATABASE_URL: url, DATABASE_DIRECT_URL: own }, 'DATABASE_DIRECT_URL names 127.0.0.1:2'],
    ] as const)
      expect(await badFindings({ DATA_DIR: dataDir, ...environment })).toEqual([
        `${what}, and nothing listens there.`,
      ])
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
})

test.each(['554 No mail from strangers.', '421 Too many connections, come later.'])(
  'doctor shows the greeting of a mail server that rejects mail with %j',
  async (greeting) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'nocturne-doctor-'))
    const server = Bun.listen({
      port: 0,
      hostname: '127.0.0.1',
      socket: { open: (socket) => void socket.write(`${greeting}\r\n`), data() {} },
    })
    try {
      const found = await badFindings({ DATA_DIR: dataDir, SMTP_URL: `smtp://127.0.0.1:${server.port}` })
      expect(found).toEqual([expect.stringContaining(`127.0.0.1:${server.port} does not accept mail: `)])
      expect(found).toEqual([expect.stringContaining(greeting)])
    } finally {
      server.stop(true)
      rmSync(dataDir, { recursive: true, force: true })
    }
  },
)

test('a bucket that fails while it is listed is reported for the audio and not for the database', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'nocturne-doctor-'))
  let asked = 0
  const store = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch() {
      asked += 1
      return asked === 1
        ? new Response(
            '<ListBucketResult><IsTruncated>true</IsTruncated><Contents><Key>a</Key></Contents></ListBucketResult>',
          )
        : new Response('', { status: 403 })
    },
  })
  const keys = { S3_BUCKET: 'audio', S3_ACCESS_KEY_ID: 'key', S3_SECRET_ACCESS_KEY: 'secret' }
  try {
    const findings = await findingsOf({
      ...{ DATA_DIR: dataDir, DATABASE_URL: url, S3_ENDPOINT: store.url.origin },
      ...keys,
    })
    const stored = findings.filter(({ subject }) => /^(database|audio)/.test(subject))
    expect(stored.map(({ subject, isRight }) => [subject, isRight])).toEqual([
      ['database', true],
      ['audio in S3', false],
    ])
  } finally {
    await store.stop(true)
    rmSync(dataDir, { recursive: true, force: true })
  }
})
