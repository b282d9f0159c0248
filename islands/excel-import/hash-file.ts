/** More than this is not read into memory at once; such a file is sent, and known by its hash afterwards. */
const hashedBytesMax = 512 * 1024 * 1024

/**
 * SHA-256 of a file's content, as hex. Undefined where the browser cannot: on plain http from another machine it
 * has no hashing, and then the server compares once the file is there.
 */
export async function hashFile(file: File): Promise<string | undefined> {
  if (!globalThis.crypto?.subtle || file.size > hashedBytesMax) return undefined
  try {
    const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer())
    return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  } catch {
    return undefined
  }
}
