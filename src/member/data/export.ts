import { makeZip } from 'client-zip'
import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { audioFiles, narrations, stories } from '#db/schema'
import { AppError } from '#src/app-error'
import { requireMember } from '#src/member/find-member'
import { listedMemberTables, type TableName } from '#src/personal-data/registry'
import type { Services } from '#src/services'
import type { AudioFile } from '#src/storage/audio-file'
import type { AudioStorage } from '#src/storage/storage'
import { exportWords } from './export-readme'

/** Rows read in one query. Rows with a narration's timings are the largest, at some hundred kilobytes each. */
const rowsAtOnce = 200

type ExportServices = Pick<Services, 'db' | 'storage' | 'env'>

/**
 * Exports all data about a member as one zip, which is created while it is downloaded: a README, `data/` with a JSON
 * file for each table, and `narrations/` with the audio of their items. Throws `not_found`.
 */
export async function exportMember(
  services: ExportServices,
  id: string,
): Promise<{ fileName: string; zip: ReadableStream<Uint8Array> }> {
  const member = await requireMember(services.db, id)
  const madeAt = new Date()
  const site = services.env.siteName.toLowerCase().replace(/[^a-z0-9]+/g, '-')
  return {
    fileName: `${site}-${madeAt.toISOString().slice(0, 10)}.zip`,
    zip: leavable(makeZip(listFiles(services, member, madeAt))),
  }
}

/** Wraps the stream so that a reader may cancel without an error: client-zip rejects in that case. */
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
  { db, storage, env }: ExportServices,
  member: { id: string; email: string | null },
  madeAt: Date,
) {
  const file = (name: string, input: string | AsyncIterable<Uint8Array | string>) => ({
    name,
    input,
    lastModified: madeAt,
  })
  yield file('README.txt', exportWords(env.siteName, madeAt))
  for (const { table, rows, withheld } of listedMemberTables)
    yield file(`data/${table}.json`, writeRows(db, table, rows(member), withheld))
  const missing: string[] = []
  for (const { name, audio } of await listNarrations(db, member.id)) {
    const chunks = (await openAudio(storage, audio))?.values()
    try {
      if (chunks) yield file(`narrations/${name}.${audio.extension}`, chunks)
      else missing.push(name)
    } finally {
      // If the reader cancels, client-zip ends this generator but leaves the file open.
      await chunks?.return?.()
    }
  }
  if (missing.length > 0)
    yield file('narrations/missing.txt', `These could not be read:\n${missing.join('\n')}\n`)
}

/**
 * Writes a JSON array, one row per line. The database serializes the rows, so that no type is lost. The keys are read
 * first. Otherwise a row that changes during a slow download would move within any order of pages, and no transaction
 * should stay open for so long.
 */
async function* writeRows(
  db: Executor,
  table: TableName,
  where: SQL,
  withheld: readonly string[] = [],
): AsyncGenerator<string> {
  const columns = await keyOf(db, table)
  const keys = await db.execute<{ key: string }>(sql`
    select distinct to_jsonb(found)::text as key
    from (select ${columns} from ${sql.identifier(table)} as one where ${where}) as found order by 1`)
  let opening = '['
  for (let at = 0; at < keys.length; at += rowsAtOnce) {
    const wanted = `[${keys.slice(at, at + rowsAtOnce).map(({ key }) => key)}]`
    const rows = await db.execute<{ row: string }>(sql`
      select (to_jsonb(one) - ${`{${withheld.join(',')}}`}::text[])::text as row from ${sql.identifier(table)} as one
      where ${where} and (${columns}) in (
        select ${columns} from jsonb_populate_recordset(null::${sql.identifier(table)}, ${wanted}::text::jsonb))
      order by ${columns}`)
    if (rows.length === 0) continue
    yield `${opening}\n${rows.map(({ row }) => row).join(',\n')}`
    opening = ','
  }
  yield opening === '[' ? '[]\n' : '\n]\n'
}

/** The columns of a table's primary key, or `id` if it has none. */
async function keyOf(db: Executor, table: TableName): Promise<SQL> {
  const [key] = await db.execute<{ columns: string }>(sql`
    select coalesce(string_agg(quote_ident(attname), ', ' order by place), 'id') as columns
    from pg_index, unnest(indkey) with ordinality as part(number, place), pg_attribute
    where indrelid = ${table}::regclass and indisprimary and attrelid = indrelid and attnum = number`)
  return sql.raw(key?.columns ?? 'id')
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

/** Opens a stored file. Null if it is missing: the rest is exported all the same. */
async function openAudio(storage: AudioStorage, file: AudioFile): Promise<ReadableStream<Uint8Array> | null> {
  try {
    return await storage.read(file)
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return null
    throw error
  }
}
