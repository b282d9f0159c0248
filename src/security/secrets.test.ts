import { afterAll, describe, expect, test } from 'bun:test'
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadSecrets, rotateOperatorToken } from '#src/security/secrets'

const root = mkdtempSync(join(tmpdir(), 'nocturne-secrets-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let folders = 0
function newFolder(): string {
  folders += 1
  return join(root, `data${folders}`)
}
const unset = {
  sessionSecret: undefined,
  encryptionKey: undefined,
  adminToken: undefined,
  vapidPrivateKey: undefined,
}
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)

describe('secrets on the first start', () => {
  test('are created in a folder and files that only their owner can read', () => {
    const dataDir = newFolder()
    const secrets = loadSecrets({ dataDir, ...unset })
    expect(modeOf(dataDir)).toBe('700')
    for (const [file, secret] of [
      ['session-secret', secrets.session],
      ['encryption-key', secrets.encryption],
      ['admin-token', secrets.operatorToken],
      ['push-key', secrets.push.privateKey],
    ] as const) {
      expect(modeOf(join(dataDir, file))).toBe('600')
      expect(readFileSync(join(dataDir, file), 'utf8')).toBe(secret)
      expect(Buffer.from(secret, 'base64url')).toHaveLength(32)
    }
    expect(new Set([secrets.session, secrets.encryption, secrets.operatorToken]).size).toBe(3)
    expect(secrets.operatorTokenFile).toBe(join(dataDir, 'admin-token'))
  })

  test('are the same for processes that start at once', async () => {
    const dataDir = newFolder()
    const code = `const { loadSecrets } = await import('#src/security/secrets'); console.log(JSON.stringify(loadSecrets({ dataDir: ${JSON.stringify(dataDir)} })))`
    const answers = await Promise.all(
      Array.from({ length: 4 }, () =>
        new Response(
          Bun.spawn([process.execPath, '-e', code], {
            cwd: join(import.meta.dir, '../..'),
            stdout: 'pipe',
            stdin: 'ignore',
          }).stdout,
        ).text(),
      ),
    )
    expect(new Set(answers).size).toBe(1)
    expect(JSON.parse(answers[0] ?? '').session).toHaveLength(43)
  })
})

test('loading waits for a secret file that another process has created and stalls before writing', async () => {
  const dataDir = newFolder()
  mkdirSync(dataDir)
  const file = join(dataDir, 'session-secret')
  writeFileSync(file, '')
  const code = `await Bun.sleep(1_500); await Bun.write(${JSON.stringify(file)}, 'w'.repeat(43))`
  const other = Bun.spawn([process.execPath, '-e', code], { stdin: 'ignore' })
  expect(loadSecrets({ dataDir, ...unset }).session).toBe('w'.repeat(43))
  expect(await other.exited).toBe(0)
})

describe('secrets on later starts', () => {
  test('stay the same', () => {
    const dataDir = newFolder()
    expect(loadSecrets({ dataDir, ...unset })).toEqual(loadSecrets({ dataDir, ...unset }))
  })

  test('get back file mode 600 when others could read them', () => {
    const dataDir = newFolder()
    loadSecrets({ dataDir, ...unset })
    chmodSync(join(dataDir, 'admin-token'), 0o644)
    loadSecrets({ dataDir, ...unset })
    expect(modeOf(join(dataDir, 'admin-token'))).toBe('600')
  })

  test('stop the start with the file’s name and the remedy, not its content, when truncated', () => {
    const dataDir = newFolder()
    loadSecrets({ dataDir, ...unset })
    const file = join(dataDir, 'session-secret')
    for (const text of ['hunter2', '']) {
      writeFileSync(file, text)
      // An empty file of a moment ago would be waited for.
      utimesSync(file, 0, 0)
      expect(() => loadSecrets({ dataDir, ...unset })).toThrow(
        /session-secret holds less than 32 characters. Restore it(?!.*hunter2)/,
      )
    }
  })
})

/** The application server's keys of the example in RFC 8291 §5. */
const pushKeys = {
  publicKey: 'BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8',
  privateKey: 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw',
}

test('an invalid push key is reported without its content', () => {
  const dataDir = newFolder()
  loadSecrets({ dataDir, ...unset })
  for (const text of ['_'.repeat(43), 'A'.repeat(43), 'hunter2 '.repeat(6)]) {
    writeFileSync(join(dataDir, 'push-key'), text)
    expect(() => loadSecrets({ dataDir, ...unset })).toThrow(
      /push-key holds no private key of P-256\. Restore it(?!.*(hunter2|___|AAA))/,
    )
  }
})

test('secrets from environment variables are not written to disk', () => {
  const dataDir = newFolder()
  const secrets = loadSecrets({
    dataDir,
    sessionSecret: 's'.repeat(32),
    encryptionKey: 'e'.repeat(32),
    adminToken: 'from outside',
    vapidPrivateKey: pushKeys.privateKey,
  })
  expect(secrets).toEqual({
    session: 's'.repeat(32),
    encryption: 'e'.repeat(32),
    operatorToken: 'from outside',
    operatorTokenFile: null,
    push: pushKeys,
  })
  expect(readdirSync(dataDir)).toEqual([])
})

test('rotating the operator token replaces its file as a whole and leaves no temporary one', () => {
  const dataDir = newFolder()
  const { operatorToken } = loadSecrets({ dataDir, ...unset })
  // A program that opened the file just before reads the previous token, and never half of one.
  const reader = openSync(join(dataDir, 'admin-token'), 'r')
  const token = rotateOperatorToken(dataDir)
  expect(token).not.toBe(operatorToken)
  expect(readFileSync(reader, 'utf8')).toBe(operatorToken)
  closeSync(reader)
  expect(loadSecrets({ dataDir, ...unset }).operatorToken).toBe(token)
  expect(modeOf(join(dataDir, 'admin-token'))).toBe('600')
  expect(existsSync(join(dataDir, 'admin-token.new'))).toBe(false)
})
