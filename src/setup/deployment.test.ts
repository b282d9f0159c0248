import { afterAll, describe, expect, test } from 'bun:test'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testDatabaseUrl } from '#db/testing'
import { findProgram } from '#scripts/debian-package'
import { readEnv } from '#src/env'
import { createApp } from '#src/server/app'
import { testApp } from '#src/testing/app'
import { checkDatabase, checkRights, checkSecrets, nightlyBackup } from './check-host'
import { checkPublic } from './check-public'
import type { Finding } from './schema'

const { services } = await testApp()
const openssl = await findProgram({ program: 'openssl' }, (line) => console.warn(line))
const home = await mkdtemp(join(tmpdir(), 'nocturne-deployment-'))
afterAll(() => rm(home, { recursive: true, force: true }))
const findingOf = (findings: Finding[], subject: string) => findings.find((each) => each.subject === subject)

/** Creates a certificate of localhost that is valid for some days, and its key. */
async function certificate(days: number) {
  const [key, cert] = ['key.pem', 'certificate.pem'].map((name) => join(home, `${days}-${name}`))
  if (!openssl || !key || !cert) throw new Error('There is no openssl.')
  const words = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days ${days} -subj /CN=localhost -addext subjectAltName=DNS:localhost`
  expect(Bun.spawnSync([openssl, ...words.split(' '), '-keyout', key, '-out', cert]).exitCode).toBe(0)
  return { key: await readFile(key, 'utf8'), cert: await readFile(cert, 'utf8') }
}

describe.skipIf(openssl === null)('public address check', () => {
  /** The findings about the program behind a proxy that terminates TLS and applies `change` to the headers. */
  async function findingsBehind(days: number, change: (headers: Headers) => void) {
    const tls = await certificate(days)
    let answer = async (_: Request): Promise<Response> => new Response()
    const proxy = Bun.serve({ port: 0, tls, fetch: (request) => answer(request) })
    const env = readEnv({ PUBLIC_URL: `https://localhost:${proxy.port}`, AGE_GATE: 'off' })
    const app = createApp({ ...services, env })
    answer = async (request) => {
      const response = await app.fetch(request)
      change(response.headers)
      return response
    }
    const findings = await checkPublic(env, tls.cert)
    await proxy.stop(true)
    return findings
  }

  test('finds everything right behind a correct proxy except for TRUST_PROXY', async () => {
    const findings = await findingsBehind(90, () => {})
    expect(findings.filter(({ isRight }) => !isRight)).toEqual([
      expect.objectContaining({ subject: 'trusted proxy', mend: 'TRUST_PROXY=127.0.0.1' }),
    ])
  })

  test('reports headers that a proxy removes or repeats, and a certificate about to expire', async () => {
    const findings = await findingsBehind(2, (headers) => {
      headers.append('x-frame-options', 'SAMEORIGIN')
      headers.delete('strict-transport-security')
    })
    expect(findingOf(findings, 'headers')).toMatchObject({
      isRight: false,
      what: 'a proxy removes, changes or repeats x-frame-options, strict-transport-security.',
      mend: expect.stringContaining('add_header x-frame-options'),
    })
    expect(findingOf(findings, 'TLS')).toMatchObject({
      isRight: false,
      mend: expect.stringContaining('certbot'),
    })
  })
})

test('the public address check prints a proxy configuration when nothing answers', async () => {
  const env = readEnv({ PUBLIC_URL: 'https://localhost:1', PORT: '4810' })
  const [finding] = await checkPublic(env)
  expect(finding?.isRight).toBe(false)
  expect(finding?.mend).toMatch(/^localhost \{$/m)
  expect(finding?.mend).toContain('reverse_proxy 127.0.0.1:4810 {')
})

test('the file permissions check reports running as root, and prints chmod for files that others can read', async () => {
  const dataDir = join(home, 'data')
  await mkdir(dataDir, { mode: 0o700 })
  await writeFile(join(dataDir, 'session-secret'), 'a secret', { mode: 0o600 })
  expect(await checkRights({ dataDir }, 1_000)).toMatchObject({ isRight: true })
  expect(await checkRights({ dataDir }, 0)).toMatchObject({ isRight: false, what: 'this runs as root.' })
  await chmod(join(dataDir, 'session-secret'), 0o644)
  expect(await checkRights({ dataDir }, 1_000)).toMatchObject({
    isRight: false,
    mend: `chmod go= ${join(dataDir, 'session-secret')}`,
  })
})

test('the secrets check names secrets stored on this machine only, without their values', () => {
  const sessionSecret = 's'.repeat(43)
  const finding = checkSecrets(readEnv({ SESSION_SECRET: sessionSecret, DATA_DIR: '/data' }))
  expect(finding.mend).toContain('ENCRYPTION_KEY=$(cat /data/encryption-key)')
  expect(JSON.stringify(finding)).not.toContain('SESSION_SECRET')
  expect(JSON.stringify(finding)).not.toContain(sessionSecret)
})

test('the nightly backup is a systemd timer, or a cron line without systemd', async () => {
  const timer = await nightlyBackup({ dataDir: '/data' }, import.meta.dir)
  expect(timer).toContain('DATA_DIR=/data')
  expect(timer).toContain('OnCalendar=')
  const line = await nightlyBackup({ dataDir: '/data' }, join(import.meta.dir, 'nowhere'))
  expect(line).not.toContain('systemd')
  // Cron does not have the server's variables. Without them it would back up another library.
  expect(line).toContain('\nDATA_DIR=/data\n')
  const elsewhere = readEnv({
    DATABASE_URL: 'postgres://nocturne:hunter2@db.example.com/x',
    DATA_DIR: '/data',
  })
  const said = await nightlyBackup(elsewhere, join(import.meta.dir, 'nowhere'))
  expect(said).toContain('# and its DATABASE_URL')
  expect(said).not.toContain('hunter2')
  expect(line).toEndWith('cli/main.ts backup --force /data/backup-$(date +\\%u).zip')
})

test('the database check reports a missing nightly backup and too many connections', async () => {
  const databaseUrl = await testDatabaseUrl()
  const few = readEnv({ DATABASE_URL: databaseUrl, DATA_DIR: '/data' })
  const findings = await checkDatabase(services.db, few)
  expect(findings.filter(({ isRight }) => !isRight).map(({ subject }) => subject)).toEqual([
    'backup by itself',
  ])
  expect(findingOf(findings, 'backup by itself')?.mend).toBe(await nightlyBackup(few))
  const many = readEnv({
    DATABASE_URL: 'postgres://nocturne:a-secret@db.example.com/stories',
    DATABASE_POOL: '400',
  })
  const connections = findingOf(await checkDatabase(services.db, many), 'connections')
  expect(connections?.isRight).toBe(false)
  expect(connections?.mend).toContain('stories = host=db.example.com port=5432')
  expect(connections?.mend).not.toContain('a-secret')
})
