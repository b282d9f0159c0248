import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright-core'

const playwrightCli = join(import.meta.dir, '../node_modules/playwright-core/cli.js')

/** Where a Chromium usually is: names on the PATH, then applications of a Mac and of Windows. */
const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']
const places = [
  '/usr/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/**
 * The program of a Chromium for the browser tests: the one that `CHROMIUM` names, one that is installed, or
 * one that is installed now. `say` hears what was done. Throws, with the mend, where there is none to be had.
 */
export async function findChromium(say: (line: string) => void): Promise<string> {
  const stated = process.env.CHROMIUM
  if (stated) return (await isChromium(stated)) ? stated : unusable(stated)

  const found = await firstChromium([
    ...names.flatMap((name) => Bun.which(name) ?? []),
    ...places,
    downloaded(),
  ])
  if (found) return found

  say('There is no Chromium on this machine.')
  await install(say)
  const installed = await firstChromium([...names.flatMap((name) => Bun.which(name) ?? []), downloaded()])
  if (!installed) {
    throw new Error(
      'The browser tests need a Chromium, and none could be installed. Install one, or name its program in CHROMIUM.',
    )
  }
  say(`Installed ${installed}.`)
  return installed
}

function unusable(program: string): never {
  throw new Error(`CHROMIUM is ${JSON.stringify(program)}: it takes the path of a Chromium that starts.`)
}

async function firstChromium(programs: readonly string[]): Promise<string | null> {
  for (const program of programs) if (await isChromium(program)) return program
  return null
}

/** Asks the program itself: on Ubuntu a package of that name can be a note that says where to find it. */
async function isChromium(program: string): Promise<boolean> {
  if (!existsSync(program)) return false
  // Chrome for Windows opens a window instead of saying its version.
  if (process.platform === 'win32') return true
  const asked = Bun.spawn([program, '--version'], { stdin: 'ignore', stdout: 'pipe', stderr: 'ignore' })
  const said = await new Response(asked.stdout).text()
  return (await asked.exited) === 0 && /chrom/i.test(said)
}

/** Where Playwright keeps what it downloads. */
function downloaded(): string {
  return chromium.executablePath()
}

/** Debian has a package that brings its libraries along; everywhere else Playwright knows what is needed. */
async function install(say: (line: string) => void): Promise<void> {
  if (process.getuid?.() === 0 && isDebian() && Bun.which('apt-get')) {
    say('Installing the package chromium with apt-get.')
    const environment = { DEBIAN_FRONTEND: 'noninteractive' }
    const isUpdated = await run(['apt-get', 'update', '-q'], environment)
    if (isUpdated && (await run(['apt-get', 'install', '-q', '-y', 'chromium'], environment))) return
    say('That did not work.')
  }
  say("Downloading Playwright's own Chromium.")
  const withLibraries = process.getuid?.() === 0 ? ['--with-deps'] : []
  await run([process.execPath, playwrightCli, 'install', ...withLibraries, 'chromium'], {})
}

function isDebian(): boolean {
  const file = '/etc/os-release'
  return existsSync(file) && /^ID=debian$/m.test(readFileSync(file, 'utf8'))
}

async function run(command: string[], environment: Record<string, string>): Promise<boolean> {
  const child = Bun.spawn(command, {
    stdin: 'ignore',
    stdout: 'inherit',
    stderr: 'inherit',
    env: { ...process.env, ...environment },
  })
  return (await child.exited) === 0
}
