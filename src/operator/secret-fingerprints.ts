import { sql } from 'drizzle-orm'
import type { Database, Executor } from '#db/db'
import { secretFingerprints } from '#db/schema'
import { AppError } from '#src/app-error'
import { keyedHash } from '#src/security/keyed-hash'
import { type Secrets, secretFiles } from '#src/security/secrets'
import { recordChange } from './audit'

/** A secret that all instances of a library have to share, and its file if the variable is not set. */
type Shared = { variable: string; file: string; lost: string; read: (secrets: Secrets) => string }

const shared: readonly Shared[] = [
  {
    variable: 'SESSION_SECRET',
    file: secretFiles.session,
    lost: 'visitors count as new ones, and operators sign in again',
    read: ({ session }) => session,
  },
  {
    variable: 'ENCRYPTION_KEY',
    file: secretFiles.encryption,
    lost: 'keys of models are entered again, and waiting mails are lost',
    read: ({ encryption }) => encryption,
  },
  {
    variable: 'VAPID_PRIVATE_KEY',
    file: secretFiles.push,
    lost: 'members turn notifications on again',
    read: ({ push }) => push.privateKey,
  },
]

/**
 * Throws `conflict` if this instance's secrets differ from the library's, which are those of the first instance that
 * ever started on the database. The first one stores fingerprints of its own.
 */
export async function requireSharedSecrets(db: Database, secrets: Secrets): Promise<void> {
  await db.insert(secretFingerprints).values(fingerprintsOf(secrets)).onConflictDoNothing()
  const others = await listOtherSecrets(db, secrets)
  if (others.length === 0) return
  const [names, files] = [others.map(({ variable }) => variable), others.map(({ file }) => file)]
  throw new AppError(
    'conflict',
    `${listed(names)} ${names.length === 1 ? 'is not the one' : 'are not the ones'} that this library was made with. Set what its other instances have, or copy ${listed(files)} from their DATA_DIR. If the change is intended, run: nocturne secrets accept.`,
  )
}

/**
 * Lists the secrets of this instance that differ from the library's, each with what is lost if the new one is accepted.
 */
export async function listOtherSecrets(
  db: Executor,
  secrets: Secrets,
): Promise<{ variable: string; file: string; lost: string }[]> {
  const known = new Map(
    (await db.select().from(secretFingerprints)).map((row) => [row.name, row.fingerprint]),
  )
  return fingerprintsOf(secrets).flatMap(({ name, fingerprint }, at) => {
    const each = shared[at]
    const isOther = known.has(name) && known.get(name) !== fingerprint
    return each && isOther ? [{ variable: each.variable, file: each.file, lost: each.lost }] : []
  })
}

/** Makes this instance's secrets the library's. Returns the variables whose secrets have changed. */
export async function acceptSecrets(db: Database, secrets: Secrets, by: string): Promise<string[]> {
  return db.transaction(async (tx) => {
    const others = await listOtherSecrets(tx, secrets)
    const names = others.map(({ variable }) => variable)
    await tx
      .insert(secretFingerprints)
      .values(fingerprintsOf(secrets))
      .onConflictDoUpdate({
        target: secretFingerprints.name,
        set: { fingerprint: sql`excluded.fingerprint` },
      })
    if (names.length > 0)
      await recordChange(tx, by, { action: 'accept', subjectType: 'secrets', after: { names } })
    return names
  })
}

function fingerprintsOf(secrets: Secrets): { name: string; fingerprint: string }[] {
  return shared.map(({ variable, read }) => ({
    name: variable,
    fingerprint: keyedHash(read(secrets), 'fingerprint of a secret', variable),
  }))
}

function listed(words: readonly string[]): string {
  return new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(words)
}
