import { createECDH, generateKeyPairSync } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '#src/app-error'
import type { Env } from '#src/env'

/**
 * Secrets that sign, encrypt and authenticate operators. They are generated once and stored in DATA_DIR with mode 0600.
 */
export type Secrets = {
  /** Signs the visitor's cookie, and keys the hashes of addresses. */
  session: string
  /** 32 bytes in base64, for AES-256-GCM. */
  encryption: string
  operatorToken: string
  /** The file of the generated token; null if ADMIN_TOKEN sets it. */
  operatorTokenFile: string | null
  /** Identifies us to push services: a key pair of P-256 (RFC 8292), in base64url. */
  push: { publicKey: string; privateKey: string }
}

/** The files of the secrets in DATA_DIR. */
export const secretFiles = {
  session: 'session-secret',
  encryption: 'encryption-key',
  push: 'push-key',
} as const

/** Reads the secrets, and generates missing ones. Safe if the server and the CLI start at the same time. */
export function loadSecrets(
  env: Pick<Env, 'dataDir' | 'sessionSecret' | 'encryptionKey' | 'adminToken' | 'vapidPrivateKey'>,
): Secrets {
  mkdirSync(env.dataDir, { recursive: true, mode: 0o700 })
  const tokenFile = join(env.dataDir, 'admin-token')
  return {
    session: env.sessionSecret ?? storeSecret(join(env.dataDir, secretFiles.session), randomText),
    encryption: env.encryptionKey ?? storeSecret(join(env.dataDir, secretFiles.encryption), randomText),
    operatorToken: env.adminToken ?? storeSecret(tokenFile, randomText),
    operatorTokenFile: env.adminToken ? null : tokenFile,
    push: readKeyPair(env),
  }
}

/** Replaces the operator token with a new one, and returns it. */
export function rotateOperatorToken(dataDir: string): string {
  const token = randomText()
  const file = join(dataDir, 'admin-token')
  writeFileSync(`${file}.new`, token, { mode: 0o600 })
  renameSync(`${file}.new`, file)
  return token
}

function storeSecret(file: string, make: () => string): string {
  if (!existsSync(file)) {
    try {
      writeFileSync(file, make(), { mode: 0o600, flag: 'wx' })
    } catch (error) {
      if (!isExisting(error)) throw error
    }
  }
  chmodSync(file, 0o600)
  const text = readWhole(file)
  if (text.length < charactersMin)
    throw new AppError(
      'not_configured',
      `${file} holds less than 32 characters. Restore it from a backup, or delete it to have a new one made.`,
    )
  return text
}

const charactersMin = 32

/** How long another process may take to write a secret's file that it has created. It writes all at once. */
const writingMs = 10_000

/** Reads a file that another process, started at the same time, may have created a moment ago and left empty so far. */
function readWhole(file: string): string {
  const read = () => readFileSync(file, 'utf8').trim()
  while (read() === '' && Math.abs(Date.now() - statSync(file).mtimeMs) < writingMs) Bun.sleepSync(10)
  return read()
}

function randomText(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url')
}

function randomPrivateKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return privateKey.export({ format: 'jwk' }).d ?? ''
}

/**
 * Reads the key pair for push. Browsers' subscriptions are bound to it, so a new one is generated only if there is
 * none.
 */
function readKeyPair({
  dataDir,
  vapidPrivateKey,
}: Pick<Env, 'dataDir' | 'vapidPrivateKey'>): Secrets['push'] {
  const file = join(dataDir, secretFiles.push)
  const privateKey = vapidPrivateKey ?? storeSecret(file, randomPrivateKey)
  const pair = createECDH('prime256v1')
  const bytes = Buffer.from(privateKey, 'base64url')
  try {
    if (bytes.length !== 32) throw new Error('It has another length.')
    pair.setPrivateKey(bytes)
    return { publicKey: pair.getPublicKey().toString('base64url'), privateKey }
  } catch {
    throw new AppError(
      'not_configured',
      `${vapidPrivateKey ? 'VAPID_PRIVATE_KEY' : file} holds no private key of P-256. Restore it; without it one is made, and members turn notifications on again.`,
    )
  }
}

function isExisting(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST'
}
