import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { lstat, mkdir, readFile, realpath, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { AppError } from '#src/app-error'

/** The locations of the files of one embedded PostgreSQL. */
export interface Place {
  /** `DATA_DIR/postgres`: contains the lock, the log, and the file that names `home` if that is elsewhere. */
  base: string
  /** Contains the cluster and its socket. It is `base`, unless root had to move it (root.ts). */
  home: string
  cluster: string
  logFile: string
  lockFile: string
  address: Address
}

/** A folder for Unix sockets. On Windows, a port on the loopback interface, which needs a password. */
type Address = { sockets: string; port: number } | { port: number; password: string }

/** Finds the place that belongs to `dataDir`, and creates its folders. */
export async function findPlace(dataDir: string): Promise<Place> {
  const made = baseFolder(dataDir)
  await mkdir(made, { recursive: true, mode: 0o700 })
  // The canonical path, with links resolved, because it is compared with the path that the server reports.
  const base = await realpath(made)
  await refuseForeign(base)
  const movedTo = await readFile(pointerFile(base), 'utf8').catch(() => null)
  return placeAt(base, movedTo?.trim() || base)
}

export function baseFolder(dataDir: string): string {
  return join(resolve(dataDir), 'postgres')
}

/** Returns the path of the file that names the folder outside of DATA_DIR that the cluster was moved to. */
export function pointerFile(base: string): string {
  return join(base, 'moved-to')
}

export async function placeAt(base: string, home: string): Promise<Place> {
  if (!existsSync(home)) {
    throw new AppError(
      'not_configured',
      `${pointerFile(base)} says that the database is in ${home}, which is not there. ` +
        'Mount that folder again, or remove the file to begin with an empty database.',
    )
  }
  return {
    base,
    home,
    cluster: join(home, 'cluster'),
    logFile: join(base, 'postgres.log'),
    lockFile: join(base, 'lock'),
    address: process.platform === 'win32' ? await loopback(base) : await socketFolder(home),
  }
}

/**
 * Throws if the folder belongs to another user. PostgreSQL runs only as the owner of its files, and the owner cannot
 * change files that another user adds.
 */
async function refuseForeign(base: string): Promise<void> {
  const us = process.getuid?.()
  const { uid: owner } = await stat(base)
  if (us === undefined || us === owner) return
  throw new AppError(
    'not_configured',
    `${base} belongs to user ${owner}, this is user ${us}. Run as that user, or change the owner: chown -R ${us} ${base}`,
  )
}

/**
 * Returns the folder of the socket. The whole path of a socket may have about 100 bytes, which a data folder's may
 * exceed.
 */
async function socketFolder(home: string): Promise<Address> {
  const port = 5432
  if (Buffer.byteLength(join(home, `.s.PGSQL.${port}`)) < 100) return { sockets: home, port }
  const sockets = `/tmp/nocturne-${shortHash(home)}`
  await mkdir(sockets, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  const found = await lstat(sockets)
  // Anyone can create folders in /tmp. In a folder that is not exclusively ours, others could impersonate the server.
  if (!found.isDirectory() || found.uid !== (await stat(home)).uid || (found.mode & 0o077) !== 0) {
    throw new AppError(
      'not_configured',
      `${sockets} belongs to someone else. Remove it, or choose a shorter DATA_DIR.`,
    )
  }
  return { sockets, port }
}

export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}

/**
 * Chooses a port and a password once and stores them, so that the address stays the same when the server is restarted.
 */
async function loopback(base: string): Promise<Address> {
  const file = join(base, 'address.json')
  const chosen = JSON.stringify({ port: await freePort(), password: randomBytes(24).toString('hex') })
  await writeFile(file, chosen, { flag: 'wx', mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  return JSON.parse(await readFile(file, 'utf8'))
}

function freePort(): Promise<number> {
  return new Promise((found, fail) => {
    const server = createServer()
    server.once('error', fail)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => found(address !== null && typeof address === 'object' ? address.port : 0))
    })
  })
}

/** Returns the address in the form that libpq, psql and `connect` (db/connect.ts) read. */
export function addressUrl({ address }: Place, user: string, database: string): string {
  if ('password' in address)
    return `postgres://${user}:${address.password}@127.0.0.1:${address.port}/${database}`
  return `postgres://${user}@localhost:${address.port}/${database}?host=${encodeURIComponent(address.sockets)}`
}

export function superuserUrl(place: Place): string {
  return addressUrl(place, 'postgres', 'postgres')
}
