/** Larger files are not read into memory. They are sent, and hashed by the server. */
const hashedBytesMax = 512 * 1024 * 1024

/**
 * Returns the SHA-256 of a file's content as hex. Returns undefined if the browser cannot hash (plain HTTP from another
 * machine) or the file is too large; the server then compares after the upload.
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
