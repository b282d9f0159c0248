import { eq, inArray, sql } from 'drizzle-orm'
import type { Database, Transaction } from '#db/db'
import { shortageOf } from '#db/failures'
import { lock } from '#db/locks'
import { audioFiles, users } from '#db/schema'
import { removeUnusedAudio } from '#src/audio-file/store'
import { type FoundMember, requireMember } from '#src/member/find-member'
import { recordChange } from '#src/operator/audit'
import { listedMemberTables } from '#src/personal-data/registry'
import { errorFields } from '#src/process/log'
import type { Services } from '#src/services'
import { lockMemberRow } from '#src/session/session'
import type { AudioFile } from '#src/storage/audio-file'
import { libraryChanged } from '#src/story/library-changed'
import { endAccess, transactionEndingAccess } from './access'
import { clearHistory } from './clear-history'

type DeleteServices = Pick<Services, 'db' | 'storage' | 'log'>

/**
 * Deletes a member permanently and at once: account, sessions, positions, votes, favourites, their items and audio. The
 * analytics still count their activity, anonymously. `by` is the operator, or null if the member does it, which is not
 * recorded in the audit log. Safe to repeat after a crash. Throws `not_found`.
 */
export async function deleteMember(services: DeleteServices, id: string, by: string | null): Promise<void> {
  const { db } = services
  const member = await requireMember(db, id)
  // New requests no longer find the member.
  await transactionEndingAccess(db, (tx) => endAccess(tx, member.id, 'sign-out'))
  const unheard = await deleteRows(db, member, by)
  // Removing files can take minutes if the store is slow, and meanwhile no other process may show the items.
  await libraryChanged(db)
  await removeFiles(services, unheard)
}

/**
 * Deletes the member's rows, and those of audio that nothing else uses; returns its files. A request that does not lock
 * the member first, such as a saved position, may make this fail. Nobody could ask again, since the member is signed
 * out, so it is tried again: such requests soon end, and no new ones come.
 */
async function deleteRows(
  db: Database,
  member: FoundMember,
  by: string | null,
  triesLeft = 3,
): Promise<AudioFile[]> {
  const deleting = db.transaction(async (tx) => {
    // The analytics' lock comes before that of the member's row, in the order of a rollup.
    await lock(tx, 'analytics')
    // Requests that found the member before may still store something: either it is deleted here, or it fails.
    await lockMemberRow(tx, member.id, 'update')
    await clearHistory(tx, member.id)
    const hashes = await listAudio(tx, member.id)
    // Removes rows without a foreign key. Decisions and the audit log stay, anonymised.
    for (const { remove } of listedMemberTables)
      if (typeof remove === 'function') await tx.execute(remove(member))
    await tx.delete(users).where(eq(users.id, member.id))
    if (by !== null) await recordChange(tx, by, { action: 'delete', subjectType: 'member' })
    return removeUnheard(tx, hashes)
  })
  return deleting.catch((error) => {
    if (shortageOf(error) !== 'contention' || triesLeft === 1) throw error
    return deleteRows(db, member, by, triesLeft - 1)
  })
}

async function listAudio(tx: Transaction, id: string): Promise<string[]> {
  const rows = await tx.execute<{ hash: string }>(sql`
    select distinct audio_hash as hash from narrations
    where story_id in (select id from stories where user_id = ${id}::uuid)`)
  return rows.map(({ hash }) => hash)
}

/** Deletes the rows of audio that no narration references any longer, and returns the files. */
async function removeUnheard(tx: Transaction, hashes: readonly string[]): Promise<AudioFile[]> {
  if (hashes.length === 0) return []
  return tx
    .delete(audioFiles)
    .where(
      sql`${inArray(audioFiles.hash, [...hashes])} and not exists (select 1 from narrations where audio_hash = audio_files.hash)`,
    )
    .returning({ hash: audioFiles.hash, extension: audioFiles.extension })
}

/** Deletes files. The next start sweeps those that could not be deleted, since they no longer have a row. */
async function removeFiles({ db, storage, log }: DeleteServices, files: readonly AudioFile[]): Promise<void> {
  for (const file of files) {
    // Another item or an import may have stored the same audio in the meantime.
    await removeUnusedAudio({ db, storage }, file).catch((error) =>
      log.warn('audio was not removed', errorFields(error)),
    )
  }
}
