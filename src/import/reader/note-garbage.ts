const collectedAfterBytes = 8 * 1024 * 1024
let bytes = 0

/** The garbage collector does not see the kernel's limit: it is run after every 8 MB of processed data. */
export function noteGarbage(workedOnBytes: number): void {
  bytes += workedOnBytes
  if (bytes < collectedAfterBytes) return
  Bun.gc(true)
  bytes = 0
}
