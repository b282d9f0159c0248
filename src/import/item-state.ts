import { eq, inArray, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Executor } from '#db/db'
import { narrations, narrationTimings, stories } from '#db/schema'
import { sha256 } from '#src/security/keyed-hash'
import { pick, recordOf } from '#src/shape/pick'
import { itemFieldNames, textFields } from '#src/story/fields'
import { excerptCharactersMax, preview, type Voice } from '#src/story/rules'
import type { StoredSnapshot } from './snapshot'
import { type FieldValue, type UndoField, undoFields, type Written } from './undo-rules'

/** The present state of an item, to be compared with the values that an import wrote. */
export type ItemState = {
  id: string
  title: string
  fields: Record<UndoField, FieldValue>
  /** The id of the job that made the current narration, by the field of its voice. */
  narratedBy: Partial<Record<UndoField, string>>
  /** Whether its excerpt is the beginning of its text, and follows changes of the text. */
  isExcerptDerived: boolean
}

const idsAtOnce = 1_000

export const audioFieldOf = { female: 'audioFemale', male: 'audioMale' } as const satisfies Record<
  Voice,
  UndoField
>

/**
 * Reads the present state of some items, by id; deleted ones are missing. Texts stay in the database: only their hashes
 * are read.
 */
export async function readStates(db: Executor, ids: readonly string[]): Promise<Map<string, ItemState>> {
  const states = new Map<string, ItemState>()
  for (let from = 0; from < ids.length; from += idsAtOnce) {
    const some = ids.slice(from, from + idsAtOnce)
    for (const row of await selectItems(db, some)) states.set(row.id, stateOf(row))
    for (const { storyId, voice, hash, jobId, timings } of await selectAudio(db, some)) {
      const state = states.get(storyId)
      if (!state) continue
      state.fields[audioFieldOf[voice]] = over(hash, timings)
      if (jobId) state.narratedBy[audioFieldOf[voice]] = jobId
    }
  }
  return states
}

/** The value of a field before a later batch, in the form of `ItemState`, without the hash of a script or timings. */
export function foundBefore(field: UndoField, before: StoredSnapshot): FieldValue {
  if (field === 'audioFemale') return before.audio.female ?? null
  if (field === 'audioMale') return before.audio.male ?? null
  if (field === 'status') return statusWords({ ...before, publishedAt: before.publishedAt ?? '' })
  const value = before[field] ?? null
  return isText(field) && typeof value === 'string' ? sha256(value) : value
}

/** Removes the hash of the script or timings from a value. */
export function bare(value: FieldValue | undefined): FieldValue | undefined {
  return typeof value === 'string' ? value.split('+', 1)[0] : value
}

function isText(field: UndoField): boolean {
  return textFields.some((each) => each === field)
}

const itemColumns = pick(stories, itemFieldNames)

function selectItems(db: Executor, ids: readonly string[]) {
  return db
    .select({
      id: stories.id,
      ...itemColumns,
      ...recordOf(textFields, (field) => hashOf(stories[field])),
      // A script that was carried over from an earlier text retains its old `updated_at`, which is older than its row.
      // It is no edit.
      script: sql<string | null>`(select md5(script) from scripts
        where story_id = stories.id and made_by = 'operator' and updated_at >= created_at
          and text_hash = ${hashOf(stories.content)})`,
      preview: stories.preview,
      heldFrom: stories.heldFrom,
    })
    .from(stories)
    .where(inArray(stories.id, [...ids]))
}

function hashOf(column: PgColumn) {
  return sql<string>`encode(sha256(convert_to(${column}, 'UTF8')), 'hex')`
}

function selectAudio(db: Executor, ids: readonly string[]) {
  return db
    .select({
      storyId: narrations.storyId,
      voice: narrations.voice,
      hash: narrations.audioHash,
      jobId: narrations.jobId,
      timings: sql<string | null>`case when ${narrationTimings.source} = 'file'
        then md5(${narrationTimings.sentences}::text || ${narrationTimings.words}::text) end`,
    })
    .from(narrations)
    .leftJoin(narrationTimings, eq(narrationTimings.narrationId, narrations.id))
    .where(sql`${inArray(narrations.storyId, [...ids])} and is_current`)
}

type Row = Awaited<ReturnType<typeof selectItems>>[number]

function stateOf(row: Row): ItemState {
  const { id, title, script, preview: beginning, ...fields } = row
  const publishedAt = row.publishedAt.toISOString()
  return {
    id,
    title,
    fields: {
      ...fields,
      title,
      content: over(row.content, script),
      publishedAt,
      status: statusWords({ ...row, publishedAt }),
      audioFemale: null,
      audioMale: null,
    },
    narratedBy: {},
    isExcerptDerived: sha256(preview(beginning, excerptCharactersMax)) === row.excerpt,
  }
}

/** A status with its details: `held:draft`, `scheduled:2026-11-27T20:00:00.000Z`. */
function statusWords({
  status,
  heldFrom,
  publishedAt,
}: {
  status: string
  heldFrom: string | null
  publishedAt: string
}): string {
  if (status === 'held') return `held:${heldFrom ?? ''}`
  return status === 'scheduled' ? `scheduled:${publishedAt}` : status
}

function over(hash: string, above: string | null): string {
  return above === null ? hash : `${hash}+${above}`
}

/** The named fields of a state, in the order of `undoFields`. */
export function pickFields(state: ItemState, named: ReadonlySet<UndoField>): Written {
  return Object.fromEntries(
    undoFields.filter((field) => named.has(field)).map((field) => [field, state.fields[field]]),
  )
}
