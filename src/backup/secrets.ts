import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { AppError } from '#src/app-error'
import type { Env } from '#src/env'
import { type Secrets, secretFiles } from '#src/security/secrets'
import type { Archive } from './open-archive'
import { secretsName } from './rules'

export type SecretsEnv = Pick<
  Env,
  'dataDir' | 'sessionSecret' | 'encryptionKey' | 'adminToken' | 'vapidPrivateKey'
>

const secret = Type.String({ minLength: 32, maxLength: 4_096 })
const SecretsInBackup = Type.Object({ session: secret, encryption: secret, push: secret })
type SecretsInBackup = Static<typeof SecretsInBackup>

const variables = {
  session: 'SESSION_SECRET',
  encryption: 'ENCRYPTION_KEY',
  push: 'VAPID_PRIVATE_KEY',
} as const

/**
 * Selects the secrets for a backup. The operator's token is not among them: it belongs to the installation and is
 * generated again.
 */
export function secretsOf({
  session,
  encryption,
  push,
}: Pick<Secrets, keyof SecretsInBackup>): SecretsInBackup {
  return { session, encryption, push: push.privateKey }
}

/**
 * Writes the secrets of a backup, if it has any, into DATA_DIR. A copy of an existing file with another secret is
 * retained. Secrets that the environment sets are not written. Returns the variables that have to be set to the
 * backup's values.
 */
export async function writeSecrets(
  env: SecretsEnv,
  archive: Archive,
): Promise<{ written: string[]; toSet: string[] }> {
  const written: string[] = []
  const toSet: string[] = []
  if (!archive.manifest.hasSecrets) return { written, toSet }
  const secrets = await readSecrets(archive)
  const given = { session: env.sessionSecret, encryption: env.encryptionKey, push: env.vapidPrivateKey }
  for (const name of ['session', 'encryption', 'push'] as const) {
    if (given[name] === secrets[name]) continue
    if (given[name] !== undefined) toSet.push(variables[name])
    else if (write(env.dataDir, secretFiles[name], secrets[name])) written.push(secretFiles[name])
  }
  return { written, toSet }
}

/** The secrets of a backup that contains them. Throws `unreadable` if they are invalid. */
export async function readSecrets(archive: Archive): Promise<SecretsInBackup> {
  const found = parse(await archive.readText(secretsName))
  if (!Value.Check(SecretsInBackup, found))
    throw new AppError('unreadable', 'The secrets in this backup are not what was written. Take another one.')
  return found
}

function write(dataDir: string, name: string, text: string): boolean {
  const file = join(dataDir, name)
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const present = existsSync(file) ? readFileSync(file, 'utf8') : null
  if (present?.trim() === text) return false
  // The present file stays until the new one replaces it: without a file, the next start would generate another secret.
  writeFileSync(`${file}.new`, text, { mode: 0o600 })
  if (present !== null) retain(file, present)
  renameSync(`${file}.new`, file)
  return true
}

/** Copies a secret that is about to be replaced. Never replaces the copy of an earlier restore. */
function retain(file: string, text: string): void {
  let copy = `${file}.before-restore`
  for (let number = 2; existsSync(copy); number += 1) {
    if (readFileSync(copy, 'utf8') === text) return
    copy = `${file}.before-restore-${number}`
  }
  writeFileSync(copy, text, { mode: 0o600, flag: 'wx' })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
