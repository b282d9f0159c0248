import type { AudioExtension } from '#src/narration/rules'

/** A stored file, named by the SHA-256 of its content, so that the same audio is stored once. */
export type AudioFile = { hash: string; extension: AudioExtension }

export type StoredAudio = AudioFile & { sizeBytes: number; modifiedAt: Date }

/** The name of a stored file in a bucket and in addresses: `ab/abcd….mp3`. */
export function keyOf({ hash, extension }: AudioFile): string {
  return `${hash.slice(0, 2)}/${hash}.${extension}`
}
