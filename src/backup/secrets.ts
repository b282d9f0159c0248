import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
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

/** The secrets of a backup, written beside the present ones. */
type StagedSecrets = {
  /** The names of the files. */
  written: string[]
  /** The variables that have to be set to the backup's values. */
  toSet: string[]
  /** Replaces the present secrets. */
  place(): void
  discard(): void
}

/**
 * Writes the secrets of a backup, if it has any, into DATA_DIR under temporary names, so that a full disk is noticed
 * before the library is replaced. A copy of an existing file with another secret is retained. Secrets that the
 * environment sets are not written.
 */
export async function stageSecrets(env: SecretsEnv, archive: Archive): Promise<StagedSecrets> {
  const written: string[] = []
  const toSet: string[] = []
  const fileOf = (name: string) => join(env.dataDir, name)
  const staged: StagedSecrets = {
    written,
    toSet,
    place() {
      for (const file of written.map(fileOf)) renameSync(`${file}.new`, file)
    },
    discard() {
      for (const file of written.map(fileOf)) rmSync(`${file}.new`, { force: true })
    },
  }
  if (!archive.manifest.hasSecrets) return staged
  const secrets = await readSecrets(archive)
  const given = { session: env.sessionSecret, encryption: env.encryptionKey, push: env.vapidPrivateKey }
  try {
    for (const name of ['session', 'encryption', 'push'] as const) {
      if (given[name] === secrets[name]) continue
      if (given[name] !== undefined) toSet.push(variables[name])
      else if (stage(fileOf(secretFiles[name]), secrets[name])) written.push(secretFiles[name])
    }
  } catch (error) {
    staged.discard()
    throw error
  }
  return staged
}

/** The secrets of a backup that contains them. Throws `unreadable` if they are invalid. */
export async function readSecrets(archive: Archive): Promise<SecretsInBackup> {
  const found = parse(await archive.readText(secretsName))
  if (!Value.Check(SecretsInBackup, found))
    throw new AppError('unreadable', 'The secrets in this backup are not what was written. Take another one.')
  return found
}

/** Writes a secret beside its present file, and a copy of that one. Returns false if it is the same. */
function stage(file: string, text: string): boolean {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const present = existsSync(file) ? readFileSync(file, 'utf8') : null
  if (present?.trim() === text) return false
  if (present !== null) retain(file, present)
  // The present file stays until the new one replaces it: without a file, the next start would generate another secret.
  writeFileSync(`${file}.new`, text, { mode: 0o600 })
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
