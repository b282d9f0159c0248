import { and, eq } from 'drizzle-orm'
import { stories } from '#db/schema'
import { shownName } from '#src/audio-format/check-audio'
import { attachAudio } from '#src/narration/attach'
import { recordChange } from '#src/operator/audit'
import type { Services } from '#src/services'
import { isId } from '#src/shape/id'
import { libraryChanged } from '#src/story/library-changed'
import { isOpenToOperators } from '#src/story/operator-sight'
import { missingItem } from '#src/story/require-item'
import { readNarratedVoice } from '#src/story/voice'
import { admitAudio } from './admit-audio'
import type { ReceivedFile } from './receive-upload'

/** Throws `not_found` if there is no such item, or operators may not open it. */
export async function requireItem({ db }: Pick<Services, 'db'>, storyId: string): Promise<void> {
  const [item] = isId(storyId)
    ? await db
        .select({ id: stories.id })
        .from(stories)
        .where(and(eq(stories.id, storyId), isOpenToOperators()))
    : []
  if (!item) throw missingItem()
}

export type UploadedNarration = { voice: 'female' | 'male'; fileName: string; warnings: string[] }

/** `narrated` is `female`, `male` or the name of a narrator. */
type NarrationUpload = Pick<ReceivedFile, 'staged' | 'fileName'> & { narrated: string }

/**
 * Makes an uploaded file the narration of an item. Throws `invalid` if it is not audio, and `not_found`. The staged
 * file is removed either way, and the sweep removes stored files that no row references.
 */
export async function uploadNarration(
  { db, storage }: Pick<Services, 'db' | 'storage'>,
  storyId: string,
  { narrated, staged, fileName }: NarrationUpload,
  by: string,
): Promise<UploadedNarration> {
  // This comes first, so that the staged file is removed whatever is refused below.
  const { warnings, ...file } = await admitAudio({ db, storage }, staged, fileName)
  const { voice, narratorFemale, narratorMale } = readNarratedVoice(narrated)
  const shown = shownName(fileName)
  await db.transaction(async (tx) => {
    const { isNew, previousHash } = await attachAudio(tx, {
      storyId,
      voice,
      file,
      provider: 'upload',
      narrator: narratorFemale ?? narratorMale ?? null,
      fileName: shown,
    })
    if (!isNew) return
    await recordChange(tx, by, {
      action: 'upload_audio',
      subjectType: 'item',
      subjectId: storyId,
      before: previousHash === null ? null : { voice, audioHash: previousHash },
      after: { voice, audioHash: file.hash, fileName: shown },
    })
  })
  await libraryChanged(db)
  return { voice, fileName: shown, warnings }
}
