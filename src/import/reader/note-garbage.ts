const collectedAfterBytes = 8 * 1024 * 1024
let bytes = 0

/** Runs the garbage collector after every 8 MB of processed data, since it does not know the kernel's limit. */
export function noteGarbage(workedOnBytes: number): void {
  bytes += workedOnBytes
  if (bytes < collectedAfterBytes) return
  Bun.gc(true)
  bytes = 0
}
