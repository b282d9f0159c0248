import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { canInstall, installPackages, runVisibly } from '#scripts/debian-package'

const playwrightCli = join(import.meta.dir, '../node_modules/playwright-core/cli.js')

/** Usual locations of Chromium: names on the PATH, then paths on Linux, macOS and Windows. */
const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']
const places = [
  '/usr/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/**
 * Returns the path of a Chromium for the browser tests: the one in `CHROMIUM`, an installed one, or one that is
 * installed now. `log` receives a line for each step. If none can be found, throws an error that explains the fix.
 */
export async function findChromium(log: (line: string) => void): Promise<string> {
  const stated = process.env.CHROMIUM
  if (stated) return (await isChromium(stated)) ? stated : unusable(stated)

  const found = await firstChromium([
    ...names.flatMap((name) => Bun.which(name) ?? []),
    ...places,
    downloaded(),
  ])
  if (found) return found

  log('There is no Chromium on this machine.')
  await install(log)
  const installed = await firstChromium([...names.flatMap((name) => Bun.which(name) ?? []), downloaded()])
  if (!installed) {
    throw new Error(
      'The browser tests need a Chromium, and none could be installed. Install one, or name its program in CHROMIUM.',
    )
  }
  log(`Installed ${installed}.`)
  return installed
}

/**
 * Returns the path of Debian's headless shell: the same Chromium without the code of its windows. It uses a fifth to a
 * third less processor time and has no push. It is installed if possible. Returns null if it is not available, or if
 * `CHROMIUM` names the program to use.
 */
export async function findHeadlessShell(log: (line: string) => void): Promise<string | null> {
  if (process.env.CHROMIUM) return null
  const find = () => firstChromium([Bun.which('chromium-headless-shell') ?? ''])
  return (await find()) ?? ((await installBoth(log)) ? find() : null)
}

function unusable(program: string): never {
  throw new Error(`CHROMIUM is ${JSON.stringify(program)}: it takes the path of a Chromium that starts.`)
}

async function firstChromium(programs: readonly string[]): Promise<string | null> {
  for (const program of programs) if (await isChromium(program)) return program
  return null
}

/** Checks a program by running it: on Ubuntu a package of that name can be a stub that prints where to get Chromium. */
async function isChromium(program: string): Promise<boolean> {
  if (!existsSync(program)) return false
  // Chrome for Windows opens a window instead of printing its version.
  if (process.platform === 'win32') return true
  const versionProcess = Bun.spawn([program, '--version'], {
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'ignore',
  })
  const output = await new Response(versionProcess.stdout).text()
  return (await versionProcess.exited) === 0 && /chrom/i.test(output)
}

/** Returns the path of Playwright's downloaded Chromium. */
function downloaded(): string {
  return chromium.executablePath()
}

/** Installs a Chromium: Debian's packages, which include the libraries, or Playwright's own, which installs them. */
async function install(log: (line: string) => void): Promise<void> {
  if (await installBoth(log)) return
  log("Downloading Playwright's own Chromium.")
  const withLibraries = process.getuid?.() === 0 ? ['--with-deps'] : []
  await runVisibly([process.execPath, playwrightCli, 'install', ...withLibraries, 'chromium'])
}

/** Installs both packages together, because they need the same version of their shared files. */
async function installBoth(log: (line: string) => void): Promise<boolean> {
  if (!canInstall()) return false
  const isInstalled = await installPackages(['chromium', 'chromium-headless-shell'], log)
  if (!isInstalled) log('That did not work.')
  return isInstalled
}
