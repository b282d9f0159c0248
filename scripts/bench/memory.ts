/** Returns the resident memory of a process in bytes; null if the system has no /proc. */
export async function residentBytes(pid: number): Promise<number | null> {
  return statusBytes(pid, 'VmRSS')
}

/**
 * Watches the peak of a process's resident memory. `maxRSS` is no use: a child's includes its parent's peak from before
 * the exec.
 */
export function watchPeak(child: Bun.Subprocess): Promise<number | null> {
  const watch = async () => {
    let peak: number | null = null
    while (child.exitCode === null && child.signalCode === null) {
      peak = (await statusBytes(child.pid, 'VmHWM')) ?? peak
      await Bun.sleep(50)
    }
    return peak
  }
  return watch()
}

async function statusBytes(pid: number, field: 'VmRSS' | 'VmHWM'): Promise<number | null> {
  const status = await Bun.file(`/proc/${pid}/status`)
    .text()
    .catch(() => '')
  const kilobytes = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]
  return kilobytes ? Number(kilobytes) * 1_024 : null
}
