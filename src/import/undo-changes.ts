import { and, desc, eq, ne, sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { narrations, stories } from '#db/schema'
import { derivedColumns } from '#src/story/derived-columns'
import type { ExistingItem } from './plan'

/** What a batch keeps of an item that it changes: how it was, and which columns it wrote. */
export type Snapshot = ExistingItem & { changed: string[] }
/** The same as it comes back out of JSON. Batches of before November 2026 do not say what they wrote. */
export type Kept = Omit<Snapshot, 'publishedAt' | 'changed'> & { publishedAt?: string; changed?: string[] }

/** What an import has changed of an item is as it was; what was changed since elsewhere stays. */
export async function undoChanges(tx: Executor, storyId: string, kept: Kept): Promise<void> {
  const { id, type, audio, status, heldFrom, publishedAt, changed, ...rest } = kept
  const before = { ...rest, ...(publishedAt !== undefined && { publishedAt: new Date(publishedAt) }) }
  const fields = changed
    ? Object.fromEntries(Object.entries(before).filter(([field]) => changed.includes(field)))
    : before
  if (Object.keys(fields).length > 0)
    await tx
      .update(stories)
      .set({ ...fields, ...derivedColumns(fields) })
      .where(eq(stories.id, storyId))
  await restoreStatus(tx, storyId, kept)
  await restoreNarrations(tx, storyId, audio)
}

/** What an operator has removed since stays so. */
async function restoreStatus(
  tx: Executor,
  storyId: string,
  { status, heldFrom, changed }: Kept,
): Promise<void> {
  if (!status) return
  const isOfStatus = changed?.includes('status') ? ne(stories.status, 'removed') : eq(stories.status, 'held')
  if (changed && !changed.includes('status') && !changed.includes('heldFrom')) return
  await tx
    .update(stories)
    .set({ status, heldFrom })
    .where(and(eq(stories.id, storyId), isOfStatus))
}

async function restoreNarrations(tx: Executor, storyId: string, audio: Kept['audio']): Promise<void> {
  for (const [voice, hash] of Object.entries(audio)) {
    const inVoice = and(eq(narrations.storyId, storyId), sql`${narrations.voice} = ${voice}`)
    const [current] = await tx
      .select({ id: narrations.id })
      .from(narrations)
      .where(and(inVoice, eq(narrations.isCurrent, true)))
    if (current) continue
    const [earlier] = await tx
      .select({ id: narrations.id })
      .from(narrations)
      .where(and(inVoice, eq(narrations.audioHash, hash)))
      .orderBy(desc(narrations.createdAt))
      .limit(1)
    if (earlier) await tx.update(narrations).set({ isCurrent: true }).where(eq(narrations.id, earlier.id))
  }
  await tx.execute(sql`update stories set audio_duration_seconds = (
    select duration_seconds from narrations join audio_files on hash = audio_hash
    where story_id = ${storyId} and is_current order by (narrations.voice = stories.voice) desc limit 1) where id = ${storyId}`)
}
