import { makeZip } from 'client-zip'
import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { audioFiles, narrations, stories } from '#db/schema'
import type { AudioFile, AudioStorage } from '#src/narration/storage'
import type { Parts } from '#src/parts'
import { Refusal } from '#src/refusal'
import { exportWords } from './export-words'
import { requireMember } from './find-member'
import { listMemberRows } from './member-rows'

/** Rows that are read at once: a narration's timings are the largest, at some hundred kilobytes. */
const rowsAtOnce = 200
/** Opens something, or is made from what stands beside it: no part of what a member is told. */
const withheld = [
  'password',
  'pin_hash',
  'sid',
  'token',
  'token_hash',
  'secret',
  'credential_id',
  'public_key',
  'endpoint_hash',
  'sealed',
  'search',
  'preview',
]

type ExportParts = Pick<Parts, 'db' | 'storage' | 'env'>

/**
 * Everything that is held about a member as one zip, made while it is read: a README, `data/` with a JSON file
 * for each table, and `narrations/` with the audio of what they made. Throws `not_found`.
 */
export async function exportMember(
  parts: ExportParts,
  id: string,
): Promise<{ fileName: string; zip: ReadableStream<Uint8Array> }> {
  const member = await requireMember(parts.db, id)
  const madeAt = new Date()
  const site = parts.env.siteName.toLowerCase().replace(/[^a-z0-9]+/g, '-')
  return {
    fileName: `${site}-${madeAt.toISOString().slice(0, 10)}.zip`,
    zip: leavable(makeZip(listFiles(parts, member, madeAt))),
  }
}

/** The same stream for a reader who may leave early, which is no error: client-zip ends by rejecting then. */
function leavable(zip: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = zip.getReader()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: () => reader.cancel().catch(() => {}),
  })
}

async function* listFiles(
  { db, storage, env }: ExportParts,
  member: { id: string; email: string | null },
  madeAt: Date,
) {
  const tables = await listMemberRows(db, member)
  const readme = exportWords(
    env.siteName,
    madeAt,
    tables.map(({ table }) => table),
  )
  const file = (name: string, input: string | AsyncIterable<Uint8Array | string>) => ({
    name,
    input,
    lastModified: madeAt,
  })
  yield file('README.txt', readme)
  for (const { table, where } of tables) yield file(`data/${table}.json`, writeRows(db, table, where))
  const missing: string[] = []
  for (const { name, audio } of await listNarrations(db, member.id)) {
    const bytes = await openAudio(storage, audio)
    if (bytes) yield file(`narrations/${name}.${audio.extension}`, bytes)
    else missing.push(name)
  }
  if (missing.length > 0)
    yield file('narrations/missing.txt', `These could not be read:\n${missing.join('\n')}\n`)
}

/** A JSON array, a row a line. The database writes the rows: no type is lost on the way. */
async function* writeRows(db: Executor, table: string, where: SQL): AsyncGenerator<string> {
  let written = 0
  for (;;) {
    const rows = await db.execute<{ row: string }>(sql`
      select (to_jsonb(one) - ${`{${withheld.join(',')}}`}::text[])::text as row from ${sql.identifier(table)} as one
      where ${where} order by one.tableoid, one.ctid limit ${rowsAtOnce} offset ${written}`)
    if (rows.length > 0) yield `${written === 0 ? '[\n' : ',\n'}${rows.map(({ row }) => row).join(',\n')}`
    written += rows.length
    if (rows.length < rowsAtOnce) break
  }
  yield written === 0 ? '[]\n' : '\n]\n'
}

async function listNarrations(db: Executor, memberId: string): Promise<{ name: string; audio: AudioFile }[]> {
  const rows = await db
    .select({
      slug: stories.slug,
      voice: narrations.voice,
      hash: audioFiles.hash,
      extension: audioFiles.extension,
    })
    .from(narrations)
    .innerJoin(stories, eq(stories.id, narrations.storyId))
    .innerJoin(audioFiles, eq(audioFiles.hash, narrations.audioHash))
    .where(and(eq(stories.userId, memberId), eq(narrations.isCurrent, true)))
    .orderBy(stories.createdAt, narrations.voice)
  return rows.map(({ slug, voice, ...audio }) => ({ name: `${slug}-${voice}`, audio }))
}

/** Null where the file is missing: the rest is still the member's to have. */
async function openAudio(storage: AudioStorage, file: AudioFile): Promise<ReadableStream<Uint8Array> | null> {
  try {
    return await storage.read(file)
  } catch (error) {
    if (error instanceof Refusal && error.code === 'not_found') return null
    throw error
  }
}
