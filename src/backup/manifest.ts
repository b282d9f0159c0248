import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { AppError } from '#src/app-error'
import type { AudioExtension } from '#src/narration/rules'
import { oneOf } from '#src/shape/one-of'
import { formatVersion } from './rules'

const Name = Type.String({ pattern: '^[a-z_][a-z0-9_]{0,62}$' })
const Hash = Type.String({ pattern: '^[0-9a-f]{64}$' })
const Count = Type.Integer({ minimum: 0 })

/** A partition's bound becomes SQL when the partition is created again, so only ranges of times are accepted. */
const bound = String.raw`^(DEFAULT|FOR VALUES FROM \('[0-9T:+. -]{10,40}'\) TO \('[0-9T:+. -]{10,40}'\))$`

export const TableInBackup = Type.Object({
  name: Name,
  columns: Type.Array(Type.String()),
  rows: Count,
  /** The length and hash of the rows in COPY's text format, uncompressed. */
  bytes: Count,
  sha256: Hash,
  partition: Type.Optional(Type.Object({ of: Name, bound: Type.String({ pattern: bound }) })),
})

export const AudioInBackup = Type.Object({
  hash: Hash,
  extension: oneOf(['mp3', 'wav', 'm4a'] satisfies AudioExtension[]),
  sizeBytes: Count,
  /** `missing`: not in the storage. `spoilt`: its bytes do not match its hash. */
  state: oneOf(['whole', 'missing', 'spoilt', 'left-out']),
})

export const Manifest = Type.Object({
  format: Type.Literal(formatVersion),
  program: Type.String(),
  madeAt: Type.String(),
  /** The newest migration of the database. Migrations are ordered by `madeAtMs`. */
  migration: Type.Object({ name: Type.String(), madeAtMs: Type.Number() }),
  tables: Type.Array(TableInBackup),
  leftOut: Type.Array(Type.String()),
  sequences: Type.Array(Type.Object({ name: Name, value: Type.String({ pattern: '^-?[0-9]{1,19}$' }) })),
  audio: Type.Array(AudioInBackup),
  /** Identifies the key of sealed texts, without revealing it. */
  keyId: Type.String(),
  hasSecrets: Type.Boolean(),
})
export type Manifest = Static<typeof Manifest>
export type TableInBackup = Static<typeof TableInBackup>
export type AudioInBackup = Static<typeof AudioInBackup>

/** Parses a manifest. Throws `unreadable` if it is invalid or written by a newer program. */
export function parseManifest(text: string): Manifest {
  const found = parse(text)
  if (isOfNewerFormat(found))
    throw new AppError(
      'unreadable',
      `This backup has format ${found.format}, and this program reads format ${formatVersion}. Update Nocturne, then restore again.`,
    )
  if (Value.Check(Manifest, found)) return found
  const first = Value.Errors(Manifest, found).First()
  throw new AppError(
    'unreadable',
    `This is not a backup of Nocturne: its manifest is wrong at ${first?.path || '/'}.`,
  )
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function isOfNewerFormat(found: unknown): found is { format: number } {
  return (
    typeof found === 'object' &&
    found !== null &&
    'format' in found &&
    typeof found.format === 'number' &&
    found.format > formatVersion
  )
}
