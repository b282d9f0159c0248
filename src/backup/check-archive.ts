import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { AppError } from '#src/app-error'
import { countRows } from './copy-rows'
import type { AudioInBackup, TableInBackup } from './manifest'
import { type Archive, notWhole } from './open-archive'
import { audioFileName, manifestName, secretsName, tableFileName } from './rules'
import { readSecrets } from './secrets'

type Progress = (step: string, done: number, total: number) => void

/**
 * Reads a whole backup and compares each file with the manifest; writes nothing. Throws `unreadable` at the first
 * difference.
 */
export async function checkArchive(path: string, archive: Archive, onProgress?: Progress): Promise<void> {
  const { tables, audio, hasSecrets } = archive.manifest
  const whole = wholeAudio(archive)
  requireNames(path, archive, [
    manifestName,
    ...(hasSecrets ? [secretsName] : []),
    ...tables.map(({ name }) => tableFileName(name)),
    ...audio.filter(({ state }) => state === 'whole' || state === 'spoilt').map(audioFileName),
  ])
  if (hasSecrets) await readSecrets(archive)
  const total = tables.length + whole.length
  for (const [at, table] of tables.entries()) {
    await checkTable(path, archive, table)
    onProgress?.('checking', at + 1, total)
  }
  for (const [at, each] of whole.entries()) {
    await checkAudio(path, archive, each)
    onProgress?.('checking', tables.length + at + 1, total)
  }
}

/** The audio files that a restore can put back. */
export function wholeAudio({ manifest }: Archive): AudioInBackup[] {
  return manifest.audio.filter(({ state }) => state === 'whole')
}

/**
 * Yields the decompressed rows of a table, never more bytes than the manifest states, so that a small file cannot fill
 * the disk.
 */
export async function* readRows(
  path: string,
  archive: Archive,
  { name, bytes }: TableInBackup,
): AsyncGenerator<Uint8Array> {
  const packed = await archive.read(tableFileName(name))
  let read = 0
  try {
    for await (const chunk of pipeline(packed, createGunzip(), () => {})) {
      read += chunk.byteLength
      if (read > bytes) break
      yield chunk
    }
  } catch (error) {
    throw notWhole(path, `table ${name} cannot be unpacked`, error)
  }
  if (read !== bytes) throw differs(path, `table ${name}`)
}

function requireNames(path: string, { names }: Archive, wanted: readonly string[]): void {
  const missing = wanted.find((name) => !names.has(name))
  if (missing) throw notWhole(path, `${missing} is missing`)
  const known = new Set(wanted)
  const extra = [...names].find((name) => !known.has(name))
  if (extra) throw notWhole(path, `it holds ${extra}, which its manifest does not name`)
}

async function checkTable(path: string, archive: Archive, table: TableInBackup): Promise<void> {
  const counter = countRows()
  for await (const chunk of readRows(path, archive, table)) counter.add(chunk)
  const { rows, sha256 } = counter.counted()
  if (rows !== table.rows || sha256 !== table.sha256) throw differs(path, `table ${table.name}`)
}

async function checkAudio(path: string, archive: Archive, audio: AudioInBackup): Promise<void> {
  const hasher = new Bun.CryptoHasher('sha256')
  try {
    for await (const chunk of await archive.read(audioFileName(audio))) hasher.update(chunk)
  } catch (error) {
    throw error instanceof AppError ? error : notWhole(path, `${audioFileName(audio)} cannot be read`, error)
  }
  if (hasher.digest('hex') !== audio.hash) throw differs(path, audioFileName(audio))
}

function differs(path: string, what: string): AppError {
  return notWhole(path, `${what} is not what was written`)
}
