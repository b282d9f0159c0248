import { afterAll } from 'bun:test'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProgram } from '#scripts/debian-package'
import { until } from '#src/testing/until'

/** The path of nginx; null, with a warning on the terminal, if this platform has none. */
export const nginx = await findProgram({ program: 'nginx', packageName: 'nginx-light' }, (line) =>
  console.warn(line),
)

const page = join(import.meta.dir, '../../docs/deploy/audio.md')

/**
 * Starts an nginx with the configuration of docs/deploy/audio.md, as a proxy of the program at `origin` with the audio
 * of `folder`, until the test file ends. Returns its origin.
 */
export async function startNginx(origin: string, folder: string): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'nocturne-nginx-'))
  const port = await freePort()
  const [, locations = ''] = /```nginx\n(.*?)```/s.exec(await readFile(page, 'utf8')) ?? []
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${home}/${name};`,
  )
  const file = join(home, 'nginx.conf')
  await writeFile(
    file,
    `${process.getuid?.() === 0 ? 'user root;' : ''} daemon off; worker_processes 1; pid ${home}/pid; error_log ${home}/error.log;
    events {}
    http { access_log off; ${paths.join(' ')}
      server { listen 127.0.0.1:${port};
        ${locations.replaceAll('http://127.0.0.1:3000', origin).replaceAll('/data/audio/', `${folder}/`)} } }`,
  )
  const child = Bun.spawn([nginx ?? '', '-p', home, '-c', file], { stdio: ['ignore', 'ignore', 'inherit'] })
  afterAll(async () => {
    child.kill('SIGTERM')
    await child.exited
    await rm(home, { recursive: true, force: true })
  })
  const url = `http://127.0.0.1:${port}`
  await until(() =>
    fetch(url).then(
      () => true,
      () => false,
    ),
  )
  return url
}

async function freePort(): Promise<number> {
  const server = createServer()
  const { promise, resolve } = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', resolve)
  await promise
  const address = server.address()
  server.close()
  return address !== null && typeof address === 'object' ? address.port : 0
}
