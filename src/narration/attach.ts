import { eq } from 'drizzle-orm'
import { newId } from '#db/columns'
import type { Executor } from '#db/db'
import { audioFiles, narrations, stories } from '#db/schema'
import { endAudioLease } from '#src/audio-file/store'
import type { StoredNarration } from '#src/narration/upload/admit-audio'
import { chooseNarration, isCurrentNarration, measureNarration } from '#src/story/current-narrations'
import { missingItem } from '#src/story/require-item'
import type { Voice } from '#src/story/rules'

export type Attachment = {
  storyId: string
  voice: Voice
  /** The checked and stored file. */
  file: StoredNarration
  /** The source: `upload`, `built-in`, `elevenlabs`, `openai`. */
  provider: string
  narrator?: string | null
  /** The sender's file name. */
  fileName?: string | null
  importId?: string
  /** The job that made it. Below, the number of characters sent to the provider, and their cost. */
  jobId?: string
  spokenCharacters?: number
  costUsd?: number
}
export type Attached = { narrationId: string; isNew: boolean; previousHash: string | null }

/**
 * Makes a stored file the current narration of an item in one voice, in one transaction. The earlier narration is
 * retained, not current. If the file is already the current one, `isNew` is false and nothing changes, except the time
 * of the choice if a person sent it. The item's measured length is that of its own voice, or of its only voice; the
 * operator's minutes stay. Throws `not_found`.
 */
export async function attachAudio(db: Executor, attachment: Attachment): Promise<Attached> {
  return db.transaction(async (tx) => {
    const { storyId, voice, file } = attachment
    // Concurrent calls for one item take turns: only one narration of a voice can be current.
    const [story] = await tx
      .select({ voice: stories.voice })
      .from(stories)
      .where(eq(stories.id, storyId))
      .for('update')
    if (!story) throw missingItem()
    const isCurrent = isCurrentNarration(storyId, voice)
    const [previous] = await tx
      .select({ id: narrations.id, hash: narrations.audioHash })
      .from(narrations)
      .where(isCurrent)
    const previousHash = previous?.hash ?? null
    await endAudioLease(tx, file)
    if (previous && previousHash === file.hash) {
      if (attachment.jobId === undefined) await chooseNarration(tx, { id: previous.id, storyId, voice })
      return { narrationId: previous.id, isNew: false, previousHash }
    }

    await tx.insert(audioFiles).values(rowOf(file)).onConflictDoNothing()
    await tx.update(narrations).set({ isCurrent: false }).where(isCurrent)
    const narrationId = newId()
    await tx.insert(narrations).values({ id: narrationId, ...columnsOf(attachment) })
    await measureNarration(tx, storyId)
    return { narrationId, isNew: true, previousHash }
  })
}

function rowOf({ hash, extension, sizeBytes, durationSeconds, peaks }: StoredNarration) {
  return { hash, extension, sizeBytes, durationSeconds, peaks: peaks ?? null }
}

function columnsOf({ storyId, voice, file, provider, narrator, fileName, importId, ...made }: Attachment) {
  return {
    ...made,
    storyId,
    voice,
    provider,
    audioHash: file.hash,
    narrator: narrator ?? null,
    fileName: fileName ?? null,
    importId: importId ?? null,
  }
}
