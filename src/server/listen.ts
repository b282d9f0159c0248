import type { Server } from 'bun'
import type { App } from './pipeline'

/** Bun's own limit; each route has its own, smaller one, and uploads are streamed. */
const requestBytesMax = 2_200 * 1024 * 1024
/**
 * Who listens at 100 KB/s leaves up to 10 MB in the buffers of both kernels, and nothing moves here for 100 seconds: at
 * 60 such a listener was cut (measured). Bun takes 255 at most.
 */
const idleSecondsMax = 240
/** Orchestrators kill a program that takes longer to stop: Docker after 10 seconds, or as compose.yaml says. */
const closeSecondsMax = 8

type ListenOptions = {
  /** 0 chooses a free one. */
  port: number
  hostname?: string
  /** Other processes of this program listen there too: the kernel spreads connections over them. */
  reusePort?: boolean
  /** Connections over which nothing has moved for so long are ended. */
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
 * Takes no new connections, and resolves when all requests are answered. Answers that take too long are cut: a player
 * requests the rest as a range.
 */
export async function closeServer(server: Server<undefined>): Promise<void> {
  const timer = setTimeout(() => void server.stop(true), closeSecondsMax * 1_000)
  await server.stop()
  clearTimeout(timer)
}
