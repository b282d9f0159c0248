import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { envSchema } from '#src/env-schema'
import { findProgram } from './debian-package'
import { variablesIn } from './env-table'

/** Checks the files of docs/deploy with the programs that read them. */
const folder = join(import.meta.dir, '../docs/deploy')
const home = mkdtempSync(join(tmpdir(), 'nocturne-deploy-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))
const say = (line: string) => console.warn(line)
const nginx = await findProgram({ program: 'nginx', packageName: 'nginx-light' }, say)
const haproxy = await findProgram({ program: 'haproxy' }, say)
const openssl = await findProgram({ program: 'openssl' }, say)
const systemdAnalyze = Bun.which('systemd-analyze')
const caddy = Bun.which('caddy')

const fileOf = (name: string) => readFile(join(folder, name), 'utf8')

/** Returns the program's error message, or an empty text if it accepts the file. */
function complaintOf(command: (string | null)[]): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command.map((each) => each ?? ''))
  return exitCode === 0 ? '' : `${stdout}${stderr}`
}

/** Creates a self-signed certificate with its key in one file. */
async function certificate(): Promise<string> {
  const file = join(home, 'both.pem')
  const words =
    'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 1 -subj /CN=stories.example.com'
  const key = join(home, 'key.pem')
  const made = join(home, 'certificate.pem')
  expect(complaintOf([openssl, ...words.split(' '), '-keyout', key, '-out', made])).toBe('')
  await writeFile(file, (await readFile(made, 'utf8')) + (await readFile(key, 'utf8')))
  return file
}

describe.skipIf(openssl === null)('documented proxy configuration', () => {
  test.skipIf(nginx === null)('is accepted by nginx', async () => {
    const both = await certificate()
    const site = (await fileOf('nginx.conf')).replaceAll(/\/etc\/letsencrypt\S+?(?=;)/g, both)
    const file = join(home, 'nginx.conf')
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${home};`,
    )
    await writeFile(
      file,
      `pid ${home}/pid; error_log stderr; events {} http { access_log off; ${paths.join(' ')} ${site} }`,
    )
    expect(complaintOf([nginx, '-t', '-p', home, '-c', file])).toBe('')
  })

  test.skipIf(haproxy === null)('is accepted by HAProxy', async () => {
    const both = await certificate()
    const file = join(home, 'haproxy.cfg')
    await writeFile(file, (await fileOf('haproxy.cfg')).replace('/etc/haproxy/certs/', both))
    expect(complaintOf([haproxy, '-c', '-q', '-f', file])).toBe('')
  })

  test.skipIf(caddy === null)('is accepted by Caddy', () => {
    expect(
      complaintOf([caddy, 'adapt', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')]),
    ).toBe('')
  })
})

test.skipIf(systemdAnalyze === null)('systemd accepts the documented units', async () => {
  const units = (await readdir(folder)).filter((name) => /\.(service|timer)$/.test(name))
  for (const name of units) {
    // This machine lacks the program, its user and its folder.
    const unit = (await fileOf(name)).replaceAll('/usr/local/bin/bun', '/bin/true')
    await writeFile(join(home, name), unit)
  }
  const files = units.map((name) => join(home, name))
  expect(complaintOf([systemdAnalyze, 'verify', '--man=no', ...files])).toBe('')
})

test('the Compose and Kubernetes files set only variables that exist', async () => {
  const known = new Set(variablesIn(envSchema).map(({ variable }) => variable))
  const compose = Bun.YAML.parse(await readFile(join(folder, '../../compose.yaml'), 'utf8'))
  const manifests = Bun.YAML.parse(await fileOf('kubernetes.yaml'))
  const set = [
    ...Object.keys(at(compose, 'services', 'nocturne', 'environment')),
    ...[manifests].flat().flatMap((each) => Object.keys({ ...at(each, 'data'), ...at(each, 'stringData') })),
  ]
  expect(set.length).toBeGreaterThan(10)
  expect(set.filter((name) => !known.has(name))).toEqual([])
})

test('containers have pinned images, a read-only root and no capabilities', async () => {
  const compose = Bun.YAML.parse(await readFile(join(folder, '../../compose.yaml'), 'utf8'))
  const images = Object.values(at(compose, 'services')).map((service) =>
    Reflect.get(Object(service), 'image'),
  )
  expect(images.filter((image) => /:latest$|^[^:]+$/.test(String(image ?? 'built:here')))).toEqual([])
  expect(at(compose, 'services', 'nocturne')).toMatchObject({
    read_only: true,
    tmpfs: ['/tmp'],
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges:true'],
    stop_grace_period: '30s',
  })
  const [deployment] = [Bun.YAML.parse(await fileOf('kubernetes.yaml'))]
    .flat()
    .filter((each) => Reflect.get(Object(each), 'kind') === 'Deployment')
  expect(at(deployment, 'spec', 'template', 'spec')).toMatchObject({
    terminationGracePeriodSeconds: 40,
    securityContext: { runAsNonRoot: true, runAsUser: 1000 },
    containers: [
      {
        securityContext: {
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
          allowPrivilegeEscalation: false,
        },
      },
    ],
  })
})

test('pgbouncer.ini sets the transaction pool mode', async () => {
  expect(await fileOf('pgbouncer.ini')).toMatch(/^pool_mode = transaction$/m)
})

/** Returns the object at a path of parsed YAML; an empty one if there is none. */
function at(value: unknown, ...path: string[]): object {
  return Object(path.reduce((each, key) => Reflect.get(Object(each), key), value))
}
