import { existsSync } from 'node:fs'
import { chmod, chown, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '#src/app-error'
import { type Binaries, copyBinaries, linkLibraries, programPath } from './binaries'
import { type Place, placeAt, pointerFile, shortHash } from './place'
import { asOurselves, type RunAs, runProgram } from './programs'

/** Everything that is needed to create or start a cluster. */
export interface Launch {
  place: Place
  runAs: RunAs
  binaries: Binaries
}

export interface RootRules {
  /** Whether to try namespaces. */
  namespaces: boolean
  /** The parent folder of clusters that cannot be in DATA_DIR. */
  elsewhere: string
}

/**
 * Decides as which user, from where and with which programs PostgreSQL runs. Only root is difficult, because PostgreSQL
 * refuses to run as root. In a user namespace root is an ordinary user. If namespaces are not permitted, as in many
 * containers, PostgreSQL runs as another user, in a folder that this user can reach: in DATA_DIR if that is open to
 * others, otherwise below `elsewhere`.
 */
export async function prepareLaunch(
  place: Place,
  installed: Binaries,
  log: (message: string) => void,
  root: RootRules = { namespaces: true, elsewhere: '/var/lib/nocturne' },
): Promise<Launch> {
  const isLinked = await linkLibraries(installed.native)
  const { place: chosen, runAs } = await choosePlace(place, log, root)
  if (isLinked && (await canRun(runAs, installed))) return { place: chosen, runAs, binaries: installed }
  const why = isLinked ? 'cannot be reached by the user who runs them' : 'are in a folder that is read-only'
  log(`The database's programs ${why}; using a copy (60 MB) in ${chosen.home}.`)
  const binaries = await copyBinaries(installed, chosen.home)
  if (runAs.user) await giveTo(runAs.user, chosen.home)
  return { place: chosen, runAs, binaries }
}

async function choosePlace(
  place: Place,
  log: (message: string) => void,
  root: RootRules,
): Promise<{ place: Place; runAs: RunAs }> {
  if (process.getuid?.() !== 0) return { place, runAs: asOurselves }
  if (place.home !== place.base) return { place, runAs: { prefix: [], user: await ownerOf(place.home) } }
  if (root.namespaces && (await canWrite(inNamespace, place.home))) return { place, runAs: inNamespace }
  const user = findUser('postgres') ?? findUser('nobody')
  if (!user) {
    throw new AppError(
      'not_configured',
      'PostgreSQL refuses to run as root, and there is neither a user postgres nor nobody to run it. ' +
        'Start as another user, or set DATABASE_URL.',
    )
  }
  return { place: await movePlace(place, user, root.elsewhere, log), runAs: { prefix: [], user } }
}

type User = NonNullable<RunAs['user']>

/**
 * The ids are arbitrary, except that they are not 0: the process is root outside of the namespace and an ordinary user
 * inside.
 */
const inNamespace: RunAs = { prefix: ['unshare', '--user', '--map-user=1000', '--map-group=1000'] }

async function ownerOf(folder: string): Promise<User> {
  const { uid, gid } = await stat(folder)
  return { name: String(uid), uid, gid }
}

function findUser(name: string): User | null {
  const number = (flag: string) => Bun.spawnSync(['id', flag, name]).stdout.toString().trim()
  const [uid, gid] = [number('-u'), number('-g')]
  return uid && gid ? { name, uid: Number(uid), gid: Number(gid) } : null
}

async function canWrite({ prefix, user }: RunAs, folder: string): Promise<boolean> {
  try {
    const command = [...prefix, 'sh', '-c', 'test -w "$1" && test -x "$1"', 'sh', folder]
    const ids = user ? { uid: user.uid, gid: user.gid } : {}
    return (
      (await Bun.spawn(command, { stdio: ['ignore', 'ignore', 'ignore'], cwd: '/', ...ids }).exited) === 0
    )
  } catch {
    // The system has no such command.
    return false
  }
}

/**
 * Whether this user can run the programs. A checkout below a home folder of mode 0700 is closed to every other user,
 * including the programs in it.
 */
async function canRun(runAs: RunAs, binaries: Binaries): Promise<boolean> {
  if (runAs === asOurselves) return true
  try {
    return (await runProgram(runAs, programPath(binaries, 'postgres'), ['--version'], 'ignore').exited) === 0
  } catch {
    return false
  }
}

/**
 * Creates a home for the cluster that `user` owns and can reach, moves an existing cluster there, and records the new
 * folder.
 */
async function movePlace(
  place: Place,
  user: User,
  elsewhere: string,
  log: (message: string) => void,
): Promise<Place> {
  const home = await makeHome(place.base, user, elsewhere)
  if (existsSync(place.cluster)) await copyCluster(place.cluster, home)
  await giveTo(user, home)
  await writeFile(pointerFile(place.base), `${home}\n`)
  if (existsSync(place.cluster)) await rename(place.cluster, join(place.base, 'cluster-before-move'))
  if (!home.startsWith(place.base)) {
    log(
      `The database is in ${home}, outside of DATA_DIR, as ${user.name}: keep that folder as well (a volume).`,
    )
  }
  return placeAt(place.base, home)
}

async function makeHome(base: string, user: User, elsewhere: string): Promise<string> {
  const near = join(base, 'home')
  await chmod(base, 0o711)
  await mkdir(near, { recursive: true, mode: 0o700 })
  await chown(near, user.uid, user.gid)
  if (await canWrite({ prefix: [], user }, near)) return near
  await rm(near, { recursive: true })
  await chmod(base, 0o700)
  await mkdir(elsewhere, { recursive: true, mode: 0o755 })
  const far = join(elsewhere, shortHash(base))
  await mkdir(far, { recursive: true, mode: 0o700 })
  return far
}

async function copyCluster(from: string, home: string): Promise<void> {
  const half = join(home, 'cluster.moving')
  await rm(half, { recursive: true, force: true })
  await command('cp', '-a', from, half)
  const target = join(home, 'cluster')
  // It was left by a move that failed before it recorded the folder, or by an earlier DATA_DIR of this name.
  if (existsSync(target)) await rename(target, `${target}-before-${Date.now()}`)
  await rename(half, target)
}

function giveTo({ uid, gid }: User, folder: string): Promise<void> {
  return command('chown', '-R', `${uid}:${gid}`, folder)
}

async function command(...words: string[]): Promise<void> {
  const child = Bun.spawn(words, { stdio: ['ignore', 'ignore', 'pipe'] })
  const complaint = await new Response(child.stderr).text()
  if ((await child.exited) !== 0) throw new Error(`${words.join(' ')} failed: ${complaint.trim()}`)
}
