import { readerResidentBytesMax } from '../rules'

/**
 * A thread that kills the process once it uses too much memory. It replaces the kernel's limit on macOS and Windows,
 * which have none. A thread of its own runs even while the reading blocks the main thread.
 */
setInterval(() => {
  if (process.memoryUsage.rss() > readerResidentBytesMax) process.kill(process.pid, 'SIGKILL')
}, 20)
