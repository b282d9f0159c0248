import type { Server } from 'bun'
import type { App } from './pipeline'

/** Bun's limit for any request. Each route has its own, smaller limit; uploads are streamed. */
const requestBytesMax = 2_200 * 1024 * 1024
/**
 * Idle seconds after which a connection is closed. At 100 KB/s a listener leaves up to 10 MB in the buffers of both
 * kernels, so that nothing moves here for 100 seconds: with 60 seconds such a listener was disconnected (measured).
 * Bun's maximum is 255.
 */
const idleSecondsMax = 240
/** Orchestrators kill a program that takes longer to stop: Docker after 10 seconds, or the time set in compose.yaml. */
const closeSecondsMax = 8

type ListenOptions = {
  /** 0 chooses a free port. */
  port: number
  hostname?: string
  /** Set if other processes of this program listen on the same port: the kernel distributes connections among them. */
  reusePort?: boolean
  /** Connections that are idle for longer are closed. */
  idleSeconds?: number
}

/** Serves the program on a port. */
export function listen(
  app: App,
  { port, hostname, reusePort = false, idleSeconds = idleSecondsMax }: ListenOptions,
) {
  return Bun.serve({
    port,
    reusePort,
    hostname,
    maxRequestBodySize: requestBytesMax,
    idleTimeout: idleSeconds,
    fetch: (request, self) => app.fetch(request, self.requestIP(request)?.address ?? ''),
  })
}

/**
 * Accepts no new connections, and resolves when all requests are answered. Answers that take too long are cut off; a
 * player requests the rest as a range.
 */
export async function closeServer(server: Server<undefined>): Promise<void> {
  const timer = setTimeout(() => void server.stop(true), closeSecondsMax * 1_000)
  await server.stop()
  clearTimeout(timer)
}
