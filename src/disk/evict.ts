type CachedFile = { sizeBytes: number; usedAtMs: number }

/** Removes the least recently used files of a cache that exceeds its size, until a tenth of it is free. */
export async function evictLeastRecent<File extends CachedFile>(
  files: readonly File[],
  bytesMax: number,
  remove: (file: File) => Promise<void>,
): Promise<void> {
  let bytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  if (bytes <= bytesMax) return
  for (const file of files.toSorted((a, b) => a.usedAtMs - b.usedAtMs)) {
    if (bytes <= bytesMax * 0.9) return
    await remove(file)
    bytes -= file.sizeBytes
  }
}
