import { expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '#db/db'
import { testDatabaseUrl } from '#db/testing'
import { createLog } from '#src/process/log'
import { untrustedProxyNotes } from '#src/server/untrusted-proxy'

const url = await testDatabaseUrl()

test('the doctor says where mail goes: into the outbox, or to a server, and whether that one answers', async () => {
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
      what: expect.stringContaining('127.0.0.1:1 does not take mail'),
    })
    expect(JSON.stringify(away)).not.toContain('a-secret')
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
})

test('the doctor says when the last backup was made, and warns of none and of an old one', async () => {
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

test('the doctor names a page of the operator’s own that cannot be shown, and a replica that is none', async () => {
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

test('the doctor names a proxy that passes requests on and is not trusted, and the variable to set', async () => {
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
    // A server records it in the database: the server may be off, or run on another machine.
    const noted = Promise.withResolvers<void>()
    untrustedProxyNotes({ db, log: createLog('warn', () => noted.resolve()) })('172.17.0.1')
    await noted.promise
    // Written on the only connection, before the query below runs on it.
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

test('the doctor says that a database only reads, as a standby or by a setting', async () => {
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
