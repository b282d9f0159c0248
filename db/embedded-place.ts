import { createHash } from 'node:crypto'
import { lstat, mkdir, realpath } from 'node:fs/promises'
import { join, resolve } from 'node:path'

/** Where a cluster lives, and as whom PostgreSQL's programs run. */
export interface Place {
  /** Holds the cluster, its log and its socket. */
  home: string
  cluster: string
  sockets: string
  logFile: string
  lockFile: string
  runAs: RunAs
}

/** A command put before the program, or another user for it; neither: the program runs as we do. */
export interface RunAs {
  prefix: string[]
  uid?: number
  gid?: number
}

/** Finds the place of the cluster that belongs to `dataDir`, and makes the folders around it. */
export async function findPlace(dataDir: string): Promise<Place> {
  const base = join(resolve(dataDir), 'postgres')
  await mkdir(base, { recursive: true, mode: 0o700 })
  // One folder has one name, whatever links lead to it: PostgreSQL is asked for its own later.
  const home = await realpath(base)
  return {
    home,
    cluster: join(home, 'cluster'),
    sockets: await socketFolder(home),
    logFile: join(home, 'postgres.log'),
    lockFile: join(home, 'lock'),
    runAs: process.getuid?.() === 0 ? { prefix: inNamespace } : { prefix: [] },
  }
}

/** Root outside, an ordinary user inside: PostgreSQL refuses to run as root. */
const inNamespace = ['unshare', '--user', '--map-user=1000', '--map-group=1000']

/** A socket's whole path has room for about 100 bytes, on some systems fewer than a home folder takes. */
async function socketFolder(home: string): Promise<string> {
  if (Buffer.byteLength(join(home, '.s.PGSQL.5432')) < 100) return home
  const hash = createHash('sha256').update(home).digest('hex').slice(0, 12)
  const folder = `/tmp/nocturne-${hash}`
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  const found = await lstat(folder)
  // Anyone may make folders in /tmp: one that is not ours alone could answer in the database's name.
  if (!found.isDirectory() || found.uid !== process.getuid?.() || (found.mode & 0o077) !== 0) {
    throw new Error(`${folder} belongs to someone else. Remove it, or choose a shorter DATA_DIR.`)
  }
  return folder
}
