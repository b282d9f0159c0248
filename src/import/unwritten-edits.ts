import { and, eq, sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { auditLog } from '#db/schema'

/**
 * Finds the later edits of items whose batch did not record its values, as batches before November 2026 did not: the
 * fields that the audit names, or `unknown` if only the timestamps show an edit. In doubt an item counts as edited.
 */
export async function findUnwrittenEdits(
  db: Executor,
  batch: { id: string; createdAt: Date },
  ids: readonly string[],
): Promise<Map<string, string[]>> {
  if (ids.length === 0) return new Map()
  const [recorded] = await db
    .select({ id: auditLog.id })
    .from(auditLog)
    .where(
      and(
        eq(auditLog.subjectType, 'import'),
        eq(auditLog.subjectId, batch.id),
        eq(auditLog.action, 'import'),
      ),
    )
  // The audit row is the last write of an import, and its id contains the time in milliseconds.
  const end = recorded ? madeAt(recorded.id) : batch.createdAt
  const rows = await db.execute<{ id: string; names: string[] }>(sql`
    with item as (select id, updated_at from stories where id = any(${toArray(ids)}::uuid[])),
    named as (
      select subject_id, array_agg(distinct name) as names
      from audit_log, lateral (
        select name from jsonb_object_keys(case when action = 'edit' then after end) as name
        union all select action where action <> 'edit'
      ) as said
      where subject_type = 'item' and subject_id = any(${toArray(ids)}) and at > ${end.toISOString()}::timestamptz
      group by subject_id
    )
    select item.id, coalesce(names, '{}') as names
    from item left join named on named.subject_id = item.id::text
    where names is not null or greatest(
      updated_at,
      (select max(created_at) from narrations where story_id = item.id),
      (select max(updated_at) from scripts where story_id = item.id and made_by = 'operator'),
      (select max(t.created_at) from narration_timings t join narrations n on n.id = t.narration_id
        where n.story_id = item.id and t.source = 'file')
    ) > ${end.toISOString()}::timestamptz`)
  return new Map(rows.map(({ id, names }) => [id, names.length > 0 ? names.toSorted() : ['unknown']]))
}

/** The time in a UUID of version 7: its first 48 bits are milliseconds. */
function madeAt(id: string): Date {
  return new Date(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16))
}

/** Ids as the text of a PostgreSQL array: one parameter, however many there are. */
function toArray(ids: readonly string[]): string {
  return `{${ids.join(',')}}`
}
