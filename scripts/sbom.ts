import { join } from 'node:path'
import packageJson from '../package.json'

/** A package in bun.lock: name@version, the registry (empty for the default one), its dependencies, its hash. */
type LockedPackage = [nameAndVersion: string, registry: string, needs: Needs, integrity: string]
type Needs = { dependencies?: Record<string, string>; optionalDependencies?: Record<string, string> }
type Lock = { packages: Record<string, LockedPackage> }

/** A component of CycloneDX 1.6 (https://cyclonedx.org/docs/1.6/json/). */
type Component = {
  type: 'library'
  'bom-ref': string
  group?: string
  name: string
  version: string
  purl: string
  hashes: { alg: 'SHA-512'; content: string }[]
  licenses?: { license: { id: string } }[] | { expression: string }[]
}

const root = join(import.meta.dir, '..')

/**
 * Creates the software bill of materials from bun.lock and the installed packages: everything that the program runs
 * with and that its build includes, with versions, hashes and licences. The same sources give the same document.
 */
export async function makeSbom() {
  const lock = Bun.JSONC.parse(await Bun.file(join(root, 'bun.lock')).text()) as Lock
  const { dependencies, optionalDependencies } = packageJson
  const keys = [...reachable(lock, Object.keys({ ...dependencies, ...optionalDependencies }))].sort()
  const components = await Promise.all(keys.map((key) => componentOf(key, lock.packages[key])))
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': 'nocturne',
        name: packageJson.name,
        version: packageJson.version,
        licenses: [{ license: { id: packageJson.license } }],
      },
    },
    components: components.filter((each) => each !== null),
  }
}

/** Returns the keys of all packages that these depend on, directly or not, including those for other platforms. */
function reachable({ packages }: Lock, names: readonly string[]): Set<string> {
  const found = new Set<string>()
  const visit = (name: string, from: string) => {
    const key = resolve(packages, name, from)
    if (key === null || found.has(key)) return
    found.add(key)
    const { dependencies, optionalDependencies } = packages[key]?.[2] ?? {}
    for (const needed of Object.keys({ ...dependencies, ...optionalDependencies })) visit(needed, key)
  }
  for (const name of names) visit(name, '')
  return found
}

/** Resolves a package as node_modules are searched: within the package that depends on it, then further out. */
function resolve(packages: Lock['packages'], name: string, from: string): string | null {
  const path = namesOf(from)
  for (let depth = path.length; depth >= 0; depth -= 1) {
    const key = [...path.slice(0, depth), name].join('/')
    if (key in packages) return key
  }
  return null
}

/** Splits a key into names: "a/@b/c" is @b/c within a. */
function namesOf(key: string): string[] {
  return key.match(/@[^/]+\/[^/]+|[^/]+/g) ?? []
}

async function componentOf(key: string, locked: LockedPackage | undefined): Promise<Component | null> {
  if (!locked) return null
  const [, group, name = '', version = ''] = /^(?:(@[^/]+)\/)?(.+)@([^@]+)$/.exec(locked[0]) ?? []
  const purl = `pkg:npm/${group ? `${encodeURIComponent(group)}/` : ''}${name}@${version}`
  const integrity = locked.find((each) => typeof each === 'string' && each.startsWith('sha512-'))
  const hash = typeof integrity === 'string' ? integrity.slice('sha512-'.length) : ''
  return {
    type: 'library',
    'bom-ref': key,
    ...(group && { group }),
    name,
    version,
    purl,
    hashes: hash ? [{ alg: 'SHA-512', content: Buffer.from(hash, 'base64').toString('hex') }] : [],
    ...(await licensesOf(key)),
  }
}

async function licensesOf(key: string): Promise<Pick<Component, 'licenses'>> {
  const path = namesOf(key).join('/node_modules/')
  const file = Bun.file(join(root, 'node_modules', path, 'package.json'))
  if (!(await file.exists())) return {}
  const { license }: { license?: unknown } = await file.json()
  if (typeof license !== 'string') return {}
  return { licenses: /[ (]/.test(license) ? [{ expression: license }] : [{ license: { id: license } }] }
}
