import { eq, inArray, sql } from 'drizzle-orm'
import type { Transaction } from '#db/db'
import { audioFiles, users } from '#db/schema'
import { removeUnusedAudio } from '#src/audio-file/store'
import { requireMember } from '#src/member/find-member'
import { recordChange } from '#src/operator/audit'
import { listedMemberTables } from '#src/personal-data/registry'
import { errorFields } from '#src/process/log'
import type { Services } from '#src/services'
import type { AudioFile } from '#src/storage/audio-file'
import { libraryChanged } from '#src/story/library-changed'
import { endAccess } from './access'
import { clearHistory } from './clear-history'

type DeleteServices = Pick<Services, 'db' | 'storage' | 'log'>

/**
 * Deletes a member for good, at once: account, sessions, positions, votes, favourites, their items and audio. Their
 * activity stays counted in the analytics, anonymously. `by` is the operator; null where the member does it, which is
 * not in the audit log. Safe to repeat after a crash. Throws `not_found`.
 */
export async function deleteMember(services: DeleteServices, id: string, by: string | null): Promise<void> {
  const { db } = services
  const member = await requireMember(db, id)
  // From here on nothing new can be stored for this member.
  await endAccess(db, member.id, 'sign-out')
  await clearHistory(db, member.id)
  const unheard = await db.transaction(async (tx) => {
    const hashes = await listAudio(tx, member.id)
    // Rows without a foreign key; decisions and the audit log stay, anonymised.
    for (const { remove } of listedMemberTables)
      if (typeof remove === 'function') await tx.execute(remove(member))
    await tx.delete(users).where(eq(users.id, member.id))
    if (by !== null) await recordChange(tx, by, { action: 'delete', subjectType: 'member' })
    return removeUnheard(tx, hashes)
  })
  await removeFiles(services, unheard)
  await libraryChanged(db)
}

async function listAudio(tx: Transaction, id: string): Promise<string[]> {
  const rows = await tx.execute<{ hash: string }>(sql`
    select distinct audio_hash as hash from narrations
    where story_id in (select id from stories where user_id = ${id}::uuid)`)
  return rows.map(({ hash }) => hash)
}

/** The rows of audio that no narration names any longer. */
async function removeUnheard(tx: Transaction, hashes: readonly string[]): Promise<AudioFile[]> {
  if (hashes.length === 0) return []
  return tx
    .delete(audioFiles)
    .where(
      sql`${inArray(audioFiles.hash, [...hashes])} and not exists (select 1 from narrations where audio_hash = audio_files.hash)`,
    )
    .returning({ hash: audioFiles.hash, extension: audioFiles.extension })
}

/** A file that could not be deleted is swept at the next start: it has no row any longer. */
async function removeFiles({ db, storage, log }: DeleteServices, files: readonly AudioFile[]): Promise<void> {
  for (const file of files) {
    // The same audio may have been stored for another item meanwhile, or for an import.
    await removeUnusedAudio({ db, storage }, file).catch((error) =>
      log.warn('audio was not removed', errorFields(error)),
    )
  }
}
