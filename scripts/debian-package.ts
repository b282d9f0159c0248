import { existsSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { withLock } from '#db/embedded/lock'

/**
 * Returns the path of a program. If it is missing, installs its Debian package. Returns null if this platform has no
 * such packages or this user may not install them. `log` receives a line about each step and about that. Throws if an
 * installation has failed.
 */
export async function findProgram(
  { program, packageName = program }: { program: string; packageName?: string },
  log: (line: string) => void,
): Promise<string | null> {
  const found = which(program)
  if (found) return found
  if (!canInstall()) {
    log(`There is no ${program} on this machine, and none can be installed: this is no Debian, or not root.`)
    return null
  }
  // Several test files may request it at the same time.
  await withLock(join(tmpdir(), 'nocturne-apt.lock'), async () => {
    if (!which(program)) await installPackages([packageName], log, ['--no-install-recommends'])
  })
  const installed = which(program)
  if (!installed) throw new Error(`The package ${packageName} could not be installed. Install it.`)
  return installed
}

/** Whether Debian packages can be installed here. */
export function canInstall(): boolean {
  const file = '/etc/os-release'
  const isDebian = existsSync(file) && /^ID=debian$/m.test(readFileSync(file, 'utf8'))
  return isDebian && process.getuid?.() === 0 && Bun.which('apt-get') !== null
}

/** Installs packages. Returns whether that succeeded. */
export async function installPackages(
  names: readonly string[],
  log: (line: string) => void,
  flags: readonly string[] = [],
): Promise<boolean> {
  log(`Installing ${names.join(' and ')} with apt-get.`)
  const isUpdated = await runVisibly(['apt-get', 'update', '-q'])
  return isUpdated && (await runVisibly(['apt-get', 'install', '-q', '-y', ...flags, ...names]))
}

/** Runs a command with its output on the terminal. Returns whether it succeeded. */
export async function runVisibly(command: string[]): Promise<boolean> {
  const child = Bun.spawn(command, {
    stdin: 'ignore',
    stdout: 'inherit',
    stderr: 'inherit',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
  return (await child.exited) === 0
}

/** Finds a program. Servers are in folders that only root has on the PATH. */
function which(program: string): string | null {
  const PATH = [process.env.PATH, '/usr/sbin', '/sbin'].join(delimiter)
  return Bun.which(program, { PATH })
}
