import type { AudioExtension } from '#src/narration/rules'

/** A stored file is named by the SHA-256 of what it holds, so the same audio is stored once. */
export type AudioFile = { hash: string; extension: AudioExtension }

export type StoredAudio = AudioFile & { sizeBytes: number; modifiedAt: Date }
