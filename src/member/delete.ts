import { eq, inArray, sql } from 'drizzle-orm'
import type { Transaction } from '#db/db'
import { audioFiles, users } from '#db/schema'
import { eraseFromAnalytics } from '#src/analytics/merge'
import { sha256 } from '#src/keyed-hash'
import { errorFields } from '#src/log'
import type { AudioFile } from '#src/narration/storage'
import { hasRow } from '#src/narration/sweep'
import { recordChange } from '#src/operator/audit'
import type { Parts } from '#src/parts'
import { libraryChanged } from '#src/story/library-changed'
import { requireMember } from './find-member'
import { actorOf } from './member-rows'
import { closeOtherSessions } from './session'

type DeleteParts = Pick<Parts, 'db' | 'storage' | 'log'>

/**
 * Deletes a member for good, at once: account, sessions, positions, votes, favorites, what they made and its
 * audio. What they did stays counted in the analytics, by nobody. `by` is the operator; null where the member does
 * it, which no audit log has to know. Safe to begin again after a crash. Throws `not_found`.
 */
export async function deleteMember(parts: DeleteParts, id: string, by: string | null): Promise<void> {
  const { db } = parts
  const member = await requireMember(db, id)
  // From here on nothing new comes in under this name.
  await closeOtherSessions(db, member.id, null)
  await eraseFromAnalytics(db, member.id)
  const unheard = await db.transaction(async (tx) => {
    const hashes = await listAudio(tx, member.id)
    await forgetName(tx, member)
    await tx.delete(users).where(eq(users.id, member.id))
    if (by !== null) await recordChange(tx, by, { action: 'delete', subjectType: 'member' })
    return removeUnheard(tx, hashes)
  })
  await removeFiles(parts, unheard)
  await libraryChanged(db)
}

async function listAudio(tx: Transaction, id: string): Promise<string[]> {
  const rows = await tx.execute<{ hash: string }>(sql`
    select distinct audio_hash as hash from narrations
    where story_id in (select id from stories where user_id = ${id}::uuid)`)
  return rows.map(({ hash }) => hash)
}

/** What no foreign key takes along with the account; decisions and the audit log stay, about nobody. */
async function forgetName(
  tx: Transaction,
  { id, email }: { id: string; email: string | null },
): Promise<void> {
  for (const erase of [
    sql`delete from content_progress where anon_id = ${id}`,
    sql`delete from device_positions where anon_id = ${id}`,
    sql`delete from openings where reader_id = ${id}`,
    sql`delete from login_events where user_id = ${id}::uuid`,
    sql`delete from beta_signups where email = ${email}`,
    sql`delete from throttles where key like ${`%${id}%`} or key like ${`%${sha256(email ?? id)}`}`,
    sql`update guideline_decisions set actor = 'member:deleted' where actor = ${actorOf(id)}`,
    sql`update content_flags set flagged_by = null where flagged_by = ${id}`,
    sql`update content_flags set reporter_email = null where reporter_email = ${email}`,
    sql`update audit_log set subject_id = null, before = null, after = null where subject_type = 'member' and subject_id = ${id}`,
  ])
    await tx.execute(erase)
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

/** A file that stays behind is swept at the next start: it has no row any longer. */
async function removeFiles({ db, storage, log }: DeleteParts, files: readonly AudioFile[]): Promise<void> {
  for (const file of files) {
    // The same audio may have been kept for somebody else in this moment, or for an import.
    if (await hasRow(db, file)) continue
    await storage.remove(file).catch((error) => log.warn('audio was not removed', errorFields(error)))
  }
}
