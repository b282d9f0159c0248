import { checkAudio } from './check-audio'
import type { StagedFile } from './staging'
import type { AudioFile, AudioStorage } from './storage'

/** A file that was checked and lies in its place, as its row describes it. */
export type StoredNarration = AudioFile & { sizeBytes: number; durationSeconds: number; peaks?: number[] }

/**
 * Checks a staged file and moves it to its place. Throws `invalid` where it is not audio; the staged file is
 * gone either way. A row has to name it within the hour, or the sweep removes it.
 */
export async function admitAudio(
  storage: AudioStorage,
  staged: StagedFile,
  fileName: string,
): Promise<StoredNarration & { warnings: string[] }> {
  try {
    const { extension, durationSeconds, warnings } = await checkAudio(staged.path, fileName)
    const file = await storage.keep(staged, extension)
    return { ...file, sizeBytes: staged.sizeBytes, durationSeconds, warnings }
  } finally {
    await storage.discard(staged)
  }
}
