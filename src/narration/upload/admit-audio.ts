import { storeAudio } from '#src/audio-file/store'
import { checkAudio } from '#src/audio-format/check-audio'
import type { Services } from '#src/services'
import type { AudioFile } from '#src/storage/audio-file'
import type { StagedFile } from '#src/storage/staging'

/** A checked and stored file, with the columns of its row. */
export type StoredNarration = AudioFile & { sizeBytes: number; durationSeconds: number; peaks?: number[] }

/**
 * Checks and stores a staged file. Throws `invalid` if it is not audio. The staged file is removed either way. A row
 * has to reference the stored file within a day, or the sweep removes it.
 */
export async function admitAudio(
  services: Pick<Services, 'db' | 'storage'>,
  staged: StagedFile,
  fileName: string,
): Promise<StoredNarration & { warnings: string[] }> {
  try {
    const { extension, durationSeconds, warnings } = await checkAudio(staged.path, fileName)
    const file = await storeAudio(services, staged, extension)
    return { ...file, sizeBytes: staged.sizeBytes, durationSeconds, warnings }
  } finally {
    await services.storage.discard(staged)
  }
}
