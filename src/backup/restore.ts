import { connect } from '#db/connect'
import { knowsMigration } from '#db/migrate'
import { requireVersion } from '#db/session-limits'
import { AppError } from '#src/app-error'
import { keyIdOf } from '#src/security/encryption'
import { loadSecrets } from '#src/security/secrets'
import type { AudioStorage } from '#src/storage/storage'
import { checkArchive, readRows, wholeAudio } from './check-archive'
import type { AudioInBackup, Manifest } from './manifest'
import { type Archive, notWhole, openArchive } from './open-archive'
import { analyze, replaceLibrary } from './replace-library'
import { audioFileName } from './rules'
import { type SecretsEnv, stageSecrets } from './secrets'

type RestoreServices = { url: string; storage: AudioStorage; env: SecretsEnv; by: string }

export type RestoreOptions = {
  /** Replaces an existing library. */
  force?: boolean
  onProgress?: (step: string, done: number, total: number) => void
  /**
   * Ends the restore and leaves the old library as it was. Once the new one is committed, the restore runs to its end.
   */
  stop?: AbortSignal
}

export type RestoreReport = {
  manifest: Manifest
  missingAudio: AudioInBackup[]
  /** Files of secrets that were written, and variables that still have to be set. */
  secrets: { written: string[]; toSet: string[] }
  /** Whether this installation's key can decrypt the sealed texts. */
  opensSealed: boolean
}

/**
 * Restores a backup: checks all of it, puts the audio into the storage, then replaces the database in one transaction.
 * A failure leaves the old library as it was; audio that was stored by then is swept later. Throws `unreadable` for a
 * file that differs from what was written, and `conflict` if it would overwrite something.
 */
export async function restore(
  services: RestoreServices,
  path: string,
  { force = false, onProgress, stop }: RestoreOptions = {},
): Promise<RestoreReport> {
  const report: RestoreOptions['onProgress'] = (...step) => {
    stop?.throwIfAborted()
    onProgress?.(...step)
  }
  const archive = await openBackup(path, report)
  const sql = connect(services.url, {
    max: 1,
    max_lifetime: null,
    connection: { application_name: 'nocturne restore' },
  })
  try {
    const { manifest } = archive
    await requireVersion(sql, 'DATABASE_URL')
    const { place, discard, ...secrets } = await stageSecrets(services.env, archive)
    await replaceLibrary(sql, {
      manifest,
      storeAudio: () => storeAudioOf(services.storage, path, archive, report),
      rowsOf: (table) => readRows(path, archive, table),
      force,
      by: services.by,
      onProgress: report,
      stop,
    }).catch((error) => {
      discard()
      throw error
    })
    place()
    await analyze(sql)
    return {
      manifest,
      missingAudio: await listMissing(services.storage, manifest),
      secrets,
      opensSealed: keyIdOf(loadSecrets(services.env).encryption) === manifest.keyId,
    }
  } finally {
    archive.close()
    await sql.end({ timeout: 5 })
  }
}

/** Opens a backup that this program can restore, after reading all of it and comparing it with the manifest. */
export async function openBackup(
  path: string,
  onProgress?: (step: string, done: number, total: number) => void,
): Promise<Archive> {
  const archive = await openArchive(path)
  try {
    const { name, madeAtMs } = archive.manifest.migration
    if (!knowsMigration(madeAtMs))
      throw new AppError(
        'unreadable',
        `This backup was made by another version of Nocturne (${archive.manifest.program}, migration ${name}), which this one does not know. Update Nocturne, then restore again.`,
      )
    await checkArchive(path, archive, onProgress)
    return archive
  } catch (error) {
    archive.close()
    throw error
  }
}

async function storeAudioOf(
  storage: AudioStorage,
  path: string,
  archive: Archive,
  onProgress: RestoreOptions['onProgress'],
): Promise<void> {
  const files = wholeAudio(archive)
  for (const [at, audio] of files.entries()) {
    const staged = await storage.receive(await archive.read(audioFileName(audio)))
    if (staged.hash !== audio.hash) {
      await storage.discard(staged)
      throw notWhole(path, `${audioFileName(audio)} is not what was written`)
    }
    await storage.commit(staged, audio.extension)
    onProgress?.('audio', at + 1, files.length)
  }
}

/**
 * Lists the audio that the library refers to and the storage does not have: left out of the backup, or lost before it.
 */
async function listMissing(storage: AudioStorage, { audio }: Manifest): Promise<AudioInBackup[]> {
  const missing: AudioInBackup[] = []
  for (const each of audio) if (each.state !== 'whole' && !(await storage.find(each))) missing.push(each)
  return missing
}
