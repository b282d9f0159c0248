type CachedFile = { sizeBytes: number; usedAtMs: number }

/** Removes the least recently used files of a cache that has outgrown its bytes, until a tenth of them is free again. */
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
