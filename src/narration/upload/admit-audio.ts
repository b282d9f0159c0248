import { storeAudio } from '#src/audio-file/store'
import { checkAudio } from '#src/audio-format/check-audio'
import type { Services } from '#src/services'
import type { AudioFile } from '#src/storage/audio-file'
import type { StagedFile } from '#src/storage/staging'

/** A checked and stored file, as its row describes it. */
export type StoredNarration = AudioFile & { sizeBytes: number; durationSeconds: number; peaks?: number[] }

/**
 * Checks a staged file and stores it. Throws `invalid` where it is not audio; the staged file is removed either way.
 * A row has to name it within a day, or the sweep removes it.
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
