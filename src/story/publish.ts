import { eq, like, or } from 'drizzle-orm'
import { newId } from '#db/columns'
import type { Executor } from '#db/db'
import { isUniqueViolation } from '#db/failures'
import { stories } from '#db/schema'
import { type ModeratedText, moderateText } from '#src/guideline/moderation-gate'
import { recordDecisions } from '#src/guideline/record'
import { pick } from '#src/shape/pick'
import { type ItemField, itemFieldNames } from './fields'
import { countWords, excerptCharactersMax, preview, type Status } from './rules'
import { slugOf, titleKey } from './title-key'

/** An item's fields as column values. */
export type ItemColumns = Pick<typeof stories.$inferInsert, ItemField>

/** The input for a new item. Omitted fields get the table's defaults. */
export type ItemDraft = ItemColumns & {
  content: string
  categories: string[]
  importId?: string
  /** The member who owns the item. Such an item is not part of the library and visible only to the member. */
  userId?: string
}

export type Published = { id: string; slug: string; title: string; status: Status; warnings: string[] }

/**
 * Creates one item of the library (source `pre_uploaded`), or a member's own, from a text that `moderateText` has
 * accepted. An item that guidelines hold gets the status `held` until an operator has decided. Call this in a
 * transaction with its audit entry.
 */
export async function publish(db: Executor, draft: ItemDraft, admitted?: ModeratedText): Promise<Published> {
  const text =
    admitted ?? (await moderateText(db, draft, { actor: 'nocturne', role: 'operator', source: 'create' }))
  const [published] = await publishAll(db, [{ draft, text }])
  if (!published) throw new Error('The insert answered no row.')
  return published
}

/** Creates many items at once, with free slugs. Results are in the order of the drafts. */
export async function publishAll(db: Executor, drafts: readonly Admitted[]): Promise<Published[]> {
  const rows: Row[] = []
  // Inserted in batches: a statement takes three times its size in memory while it is sent, and one of 500 rows took 55
  // ms to write.
  for (let from = 0; from < drafts.length; from += rowsAtOnce)
    rows.push(...(await insertRows(db, drafts.slice(from, from + rowsAtOnce))))
  await recordDecisions(
    db,
    drafts.flatMap(({ text }, at) =>
      text.decisions.map((decision) => ({ ...decision, storyId: rows[at]?.id ?? null })),
    ),
  )
  return rows.map(({ id, slug, title, status }, at) => ({
    id,
    slug,
    title,
    status,
    warnings: drafts[at]?.text.warnings ?? [],
  }))
}

const rowsAtOnce = 100
/**
 * Collisions after which a slug gets random letters: processes that publish at the same time would all take the next
 * number.
 */
const numberedTries = 3

type Admitted = { draft: ItemDraft; text: ModeratedText }
type Row = ReturnType<typeof toRow>

/**
 * Inserts items with free slugs. If another process takes a slug between the query and the insert, another slug is
 * tried.
 */
async function insertRows(db: Executor, drafts: readonly Admitted[]): Promise<Row[]> {
  for (let tries = 0; ; tries += 1) {
    const slugs = await freeSlugs(
      db,
      drafts.map(({ draft, text: { title } }) =>
        draft.userId || tries >= numberedTries ? letteredSlug(title) : slugOf(title),
      ),
    )
    const rows = drafts.map(({ draft, text }, at) => toRow(draft, text, slugs[at] ?? newId()))
    try {
      // A transaction, or a savepoint within one, so that a failure leaves everything else unchanged.
      await db.transaction((inner) => inner.insert(stories).values(rows))
      return rows
    } catch (error) {
      if (tries > numberedTries || !isUniqueViolation(error, 'stories_slug_unique')) throw error
    }
  }
}

function toRow(draft: ItemDraft, text: ModeratedText, slug: string) {
  const id = newId()
  return {
    ...pick(draft, itemFieldNames),
    id,
    slug,
    premiumContentId: draft.userId ? null : id,
    source: draft.userId ? ('user_generated' as const) : ('pre_uploaded' as const),
    userId: draft.userId ?? null,
    importId: draft.importId ?? null,
    status: text.isHeld ? ('held' as const) : (draft.status ?? 'published'),
    heldFrom: text.isHeld ? (draft.status ?? 'published') : null,
    title: text.title,
    titleKey: titleKey(text.title),
    description: text.description,
    excerpt: text.excerpt || preview(text.content, excerptCharactersMax),
    content: text.content,
    wordCount: countWords(text.content),
  }
}

/**
 * A slug with random letters, for members' items. A number would take slugs from the library, and reveal how many items
 * there are.
 */
function letteredSlug(title: string): string {
  return `${slugOf(title)}-${crypto.randomUUID().slice(0, 8)}`
}

/** Finds free slugs: the wanted one, otherwise with the first free number appended. */
async function freeSlugs(db: Executor, wanted: readonly string[]): Promise<string[]> {
  const taken = new Set<string>()
  const distinct = [...new Set(wanted)]
  for (let from = 0; from < distinct.length; from += 500) {
    const part = distinct.slice(from, from + 500)
    const rows = await db
      .select({ slug: stories.slug })
      .from(stories)
      .where(or(...part.flatMap((slug) => [eq(stories.slug, slug), like(stories.slug, `${slug}-%`)])))
    for (const { slug } of rows) taken.add(slug)
  }
  return wanted.map((slug) => {
    let free = slug
    for (let number = 2; taken.has(free); number += 1) free = `${slug}-${number}`
    taken.add(free)
    return free
  })
}
