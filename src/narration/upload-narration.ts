import { eq } from 'drizzle-orm'
import { stories } from '#db/schema'
import { recordChange } from '#src/operator/audit'
import type { Parts } from '#src/parts'
import { Refusal } from '#src/refusal'
import { libraryChanged } from '#src/story/library-changed'
import { isId } from '#src/story/rules'
import { readNarratedVoice } from '#src/story/voice'
import { admitAudio } from './admit-audio'
import { attachAudio } from './attach'
import { shownName } from './check-audio'
import type { ReceivedFile } from './receive-upload'

/** Throws `not_found` where there is no item of the library to give a narration to. */
export async function requireItem({ db }: Pick<Parts, 'db'>, storyId: string): Promise<void> {
  const [item] = isId(storyId)
    ? await db.select({ id: stories.id }).from(stories).where(eq(stories.id, storyId))
    : []
  if (!item) throw new Refusal('not_found', 'There is no such item. It may have been removed.')
}

export type UploadedNarration = { voice: 'female' | 'male'; fileName: string; warnings: string[] }

/**
 * Makes an uploaded file the narration of an item; `narrated` is `female`, `male` or a narrator's name.
 * Throws `invalid` where it is not audio, and `not_found`; the staged file is gone either way, and what no
 * row names is swept.
 */
export async function uploadNarration(
  { db, storage }: Pick<Parts, 'db' | 'storage'>,
  storyId: string,
  narrated: string,
  { staged, fileName }: Pick<ReceivedFile, 'staged' | 'fileName'>,
  by: string,
): Promise<UploadedNarration> {
  // The file first: whatever is refused, it does not stay behind.
  const { warnings, ...file } = await admitAudio(storage, staged, fileName)
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
