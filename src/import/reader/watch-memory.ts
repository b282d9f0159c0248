import { readerResidentBytesMax } from '../rules'

/**
 * A thread that ends the process once it uses too much memory. It replaces the kernel's limit where there is none
 * (macOS and Windows), and runs while the reading blocks the main thread.
 */
setInterval(() => {
  if (process.memoryUsage.rss() > readerResidentBytesMax) process.kill(process.pid, 'SIGKILL')
}, 20)
