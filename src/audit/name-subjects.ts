import { type SQL, sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import { flagNames, flagWords } from '#src/feature-flag/rules'
import { batchName } from '#src/import/rules'
import { jobKindName } from '#src/job/rules'
import { isId } from '#src/shape/id'
import { membersTitle, operatorTitle } from '#src/story/operator-sight'

type Subject = {
  subjectType: string
  subjectId: string | null
  before: unknown
  after: unknown
}
type Found = { id: string; name: string | null; kind: string | null }

/**
 * Adds the name of its subject to each change, worded for a sentence: its present name, or the one that the change
 * recorded, or null. Takes one query for all changes.
 */
export async function nameSubjects<T extends Subject>(
  db: Executor,
  changes: readonly T[],
): Promise<(T & { name: string | null })[]> {
  const idsOf = Map.groupBy(
    changes.flatMap(({ subjectType, subjectId }) =>
      subjectId !== null && isId(subjectId) ? [{ subjectType, subjectId }] : [],
    ),
    ({ subjectType }) => subjectType,
  )
  const parts = Object.entries(named).flatMap(([type, select]) => {
    const ids = [...new Set(idsOf.get(type)?.map(({ subjectId }) => subjectId))]
    return ids.length > 0 ? [select(sql`any(${`{${ids.join(',')}}`}::uuid[])`)] : []
  })
  // The columns of a union get their names here, since any of the parts may be the first.
  const all = sql`select id, name, kind from (${sql.join(parts, sql` union all `)}) as found(id, name, kind)`
  const rows = parts.length > 0 ? await db.execute<Found>(all) : []
  const found = new Map(rows.map((row) => [row.id, row]))
  return changes.map((change) => ({ ...change, name: nameOf(change, found.get(change.subjectId ?? '')) }))
}

/** By kind of subject, a query for the names in the database: id, name and kind of the rows whose id is `oneOf`. */
const named: Record<string, (oneOf: SQL) => SQL> = {
  item: (oneOf) => sql`select id::text, ${operatorTitle()}, null from stories where id = ${oneOf}`,
  report: (oneOf) => sql`
    select content_flags.id::text, ${operatorTitle()}, null from content_flags
    join stories on stories.id = story_id where content_flags.id = ${oneOf}`,
  feedback: (oneOf) => sql`
    select story_feedback.id::text, ${operatorTitle()}, null from story_feedback
    join stories on stories.id = story_id where story_feedback.id = ${oneOf}`,
  job: (oneOf) => sql`
    select jobs.id::text, case when stories.id is null then null else ${operatorTitle()} end, kind from jobs
    left join stories on stories.id = story_id where jobs.id = ${oneOf}`,
  import: (oneOf) => sql`select id::text, file_name, kind from imports where id = ${oneOf}`,
  challenge: (oneOf) => sql`select id::text, name, null from challenges where id = ${oneOf}`,
  guideline: (oneOf) => sql`
    select id::text, coalesce(nullif(description, ''), array_to_string(keywords[1:3], ', ')), null
    from content_guidelines where id = ${oneOf}`,
  example: (oneOf) =>
    sql`select id::text, left(input_prompt, 80), null from training_examples where id = ${oneOf}`,
  member: (oneOf) => sql`select id::text, coalesce(email, id::text), null from users where id = ${oneOf}`,
}

/** The field in which a change recorded the name of its subject. */
const titleFields: Record<string, string> = {
  item: 'title',
  report: 'title',
  feedback: 'item',
  challenge: 'name',
  example: 'inputPrompt',
}

function nameOf(change: Subject, found: Found | undefined): string | null {
  const { subjectType, subjectId, before, after } = change
  const recorded = (field: string) => textOf(after, field) ?? textOf(before, field)
  const titleField = titleFields[subjectType]
  if (titleField) return inQuotes(found?.name ?? recorded(titleField))
  switch (subjectType) {
    case 'guideline':
      return inQuotes(found?.name ?? recorded('description') ?? keywordsOf(after) ?? keywordsOf(before))
    case 'import': {
      const kind = found?.kind ?? recorded('kind')
      return kind && batchName({ fileName: found?.name ?? null, kind })
    }
    case 'job':
      return jobName(found?.kind ?? recorded('kind'), found?.name ?? null)
    case 'member':
      return found?.name ?? null
    case 'feature flag':
      return flagTitle(subjectId)
    case 'operator session':
      return subjectId && `the session of ${recorded('name') ?? 'an operator'}`
    default:
      return null
  }
}

/** A title in quotes, as in “The Night Ferry”. The title of a member's private story is not shown. */
function inQuotes(title: string | null): string | null {
  if (title === membersTitle) return 'a member’s story'
  return title && `“${title}”`
}

function jobName(kind: string | null, title: string | null): string | null {
  if (!kind) return null
  const what = `the job “${jobKindName(kind)}”`
  return title ? `${what} of ${inQuotes(title)}` : what
}

function flagTitle(id: string | null): string | null {
  const name = flagNames.find((each) => each === id)
  return name ? `“${flagWords[name].title}”` : id
}

/** A guideline without a description is named by its first keywords. */
function keywordsOf(state: unknown): string | null {
  const keywords = state !== null && typeof state === 'object' && 'keywords' in state ? state.keywords : null
  return Array.isArray(keywords) ? keywords.slice(0, 3).join(', ') || null : null
}

function textOf(state: unknown, field: string): string | null {
  const value =
    state !== null && typeof state === 'object' && field in state ? Reflect.get(state, field) : null
  return typeof value === 'string' && value !== '' ? value : null
}
