import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from '#db/db'
import { untilAnswering } from '#scripts/until-ready'
import { attachAudio } from '#src/narration/attach'
import { toneMp3 } from '#src/narration/testing'
import { folderStorage } from '#src/storage/storage'
import { publish } from '#src/story/publish'
import { compare, press } from './load'
import { signUp } from './member'
import { residentBytes } from './memory'
import { figure, heading, notMeasured } from './report'
import { freePort, type Served, withServerAndDatabase } from './servers'

/** Ten minutes at 64 kb/s, a typical narration. */
const seconds = 600

/** Measures a narration with its permission check, beside nginx with the same file and no check. */
export async function benchAudio(): Promise<void> {
  heading('Audio with its permission check (4.8 MB, 16 connections)')
  await withServerAndDatabase(async (server, db) => {
    const { url, cookie, hash } = await narrate(server, db)
    const nginx = await serveNginx(server.dataDir, hash, 1)
    for (const [name, headers, atLeast] of [
      ['whole files', {}, 0.85],
      ['64 KB ranges', { range: 'bytes=1048576-1114111' }, 0.5],
    ] as const) {
      if (!nginx) {
        notMeasured(`${name}: share of nginx's requests`, 'nginx is not installed')
        continue
      }
      const compared = await compare(
        () => press(url, { headers: { ...headers, cookie } }),
        () => press(nginx.url, { headers }),
      )
      if (!compared) notMeasured(`${name}: share of nginx's requests`, 'wrk is not installed')
      else {
        figure(`${name}: share of nginx's requests`, compared.ratio, '', { atLeast })
        figure(name, compared.a.requestsPerSecond, 'req/s')
        figure(`${name}: failures`, compared.a.failures, '', { atMost: 0 })
      }
    }
    await nginx?.stop()
    await benchSlowReaders(url, cookie, server.pid)
  })
}

/** Creates a narration. Returns its address, and the cookie of a member who may hear it. */
export async function narrate(
  { url, dataDir }: Served,
  db: Database,
): Promise<{ url: string; cookie: string; hash: string }> {
  const storage = folderStorage(join(dataDir, 'audio'))
  const staged = await storage.receive(new Blob([await toneMp3(seconds)]).stream())
  const file = await storage.commit(staged, 'mp3')
  const { id } = await publish(db, { title: 'The Lamp', content: 'She lit it.', categories: ['romantic'] })
  await attachAudio(db, {
    storyId: id,
    voice: 'female',
    file: { ...file, sizeBytes: staged.sizeBytes, durationSeconds: seconds },
    provider: 'upload',
  })
  return { url: `${url}/api/premium-audio/${id}/female`, cookie: await signUp(url), hash: file.hash }
}

/** Measures the server's memory for 500 clients that each read 32 KB a second. */
async function benchSlowReaders(url: string, cookie: string, pid: number): Promise<void> {
  const idle = await residentBytes(pid)
  if (idle === null) return notMeasured('memory with 500 slow readers', 'this system has no /proc')
  const { hostname, port, pathname } = new URL(url)
  const sockets = await Promise.all(
    Array.from({ length: 500 }, () =>
      Bun.connect({
        hostname,
        port: Number(port),
        socket: {
          open: (socket) =>
            void socket.write(
              `GET ${pathname} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nCookie: ${cookie}\r\n\r\n`,
            ),
          data(socket) {
            socket.pause()
            setTimeout(() => socket.resume(), 2_000)
          },
        },
      }),
    ),
  )
  await Bun.sleep(8_000)
  const busy = await residentBytes(pid)
  for (const socket of sockets) socket.terminate()
  figure('memory above idle with 500 slow readers', ((busy ?? 0) - idle) / 1024 / 1024, 'MB', { atMost: 30 })
}

/** Starts nginx with sendfile for the same file below DATA_DIR. Returns null if it is not installed. */
export async function serveNginx(
  folder: string,
  hash: string,
  workers: number,
): Promise<{ url: string; pid: number; stop(): Promise<void> } | null> {
  const program = Bun.which('nginx')
  if (!program) return null
  const home = join(folder, 'nginx')
  mkdirSync(join(home, 'logs'), { recursive: true })
  const port = freePort()
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  await Bun.write(
    join(home, 'nginx.conf'),
    `${user} worker_processes ${workers}; daemon off; pid ${home}/pid; error_log ${home}/error.log;
events { worker_connections 1024; }
http { access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000; types { audio/mpeg mp3; }
  client_body_temp_path ${home}/a; proxy_temp_path ${home}/b; fastcgi_temp_path ${home}/c; uwsgi_temp_path ${home}/d; scgi_temp_path ${home}/e;
  server { listen 127.0.0.1:${port}; location / { root ${join(folder, 'audio', hash.slice(0, 2))}; } } }`,
  )
  const child = Bun.spawn([program, '-p', home, '-c', join(home, 'nginx.conf')], {
    stdout: 'ignore',
    stderr: 'ignore',
  })
  const url = `http://127.0.0.1:${port}/${hash}.mp3`
  await untilAnswering(url)
  return {
    url,
    pid: child.pid,
    async stop() {
      child.kill('SIGTERM')
      await child.exited
    },
  }
}
