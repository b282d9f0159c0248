import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import type { Env } from '#src/env'
import { Refusal } from '#src/refusal'
import { type Secrets, secretFiles } from '#src/secrets'
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

/** What a backup keeps of the secrets. The operator's token is of its place, and made anew. */
export function secretsOf({
  session,
  encryption,
  push,
}: Pick<Secrets, keyof SecretsInBackup>): SecretsInBackup {
  return { session, encryption, push: push.privateKey }
}

/**
 * Puts the secrets of a backup into DATA_DIR, where it has any; a file of another secret is kept beside it.
 * Those that the environment sets are the operator's: answers the variables that are to be set to what the
 * backup was made with.
 */
export async function putSecrets(
  env: SecretsEnv,
  archive: Archive,
): Promise<{ written: string[]; toSet: string[] }> {
  const written: string[] = []
  const toSet: string[] = []
  if (!archive.manifest.hasSecrets) return { written, toSet }
  const kept = await readSecrets(archive)
  const given = { session: env.sessionSecret, encryption: env.encryptionKey, push: env.vapidPrivateKey }
  for (const name of ['session', 'encryption', 'push'] as const) {
    if (given[name] === kept[name]) continue
    if (given[name] !== undefined) toSet.push(variables[name])
    else if (write(env.dataDir, secretFiles[name], kept[name])) written.push(secretFiles[name])
  }
  return { written, toSet }
}

/** The secrets in a backup that has them. Throws `unreadable` where they are none. */
export async function readSecrets(archive: Archive): Promise<SecretsInBackup> {
  const found = parse(await archive.readText(secretsName))
  if (!Value.Check(SecretsInBackup, found))
    throw new Refusal('unreadable', 'The secrets in this backup are not what was written. Take another one.')
  return found
}

function write(dataDir: string, name: string, text: string): boolean {
  const file = join(dataDir, name)
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  if (existsSync(file)) {
    if (readFileSync(file, 'utf8').trim() === text) return false
    renameSync(file, `${file}.before-restore`)
  }
  writeFileSync(`${file}.new`, text, { mode: 0o600 })
  renameSync(`${file}.new`, file)
  return true
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
