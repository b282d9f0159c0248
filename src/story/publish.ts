import { eq, like, or } from 'drizzle-orm'
import { newId } from '#db/columns'
import type { Executor } from '#db/db'
import { stories } from '#db/schema'
import { recordDecisions } from '#src/guideline/record'
import { type AdmittedText, admitText } from './admit-text'
import {
  countWords,
  durationMinutesDefault,
  excerptCharactersMax,
  type ItemType,
  preview,
  type Status,
  type Voice,
} from './rules'
import { slugOf, titleKey } from './title-key'

/** What an operator gives to make an item. */
export type Draft = {
  title: string
  content: string
  type?: ItemType
  description?: string
  excerpt?: string
  categories: readonly string[]
  tags?: readonly string[]
  contentNotes?: readonly string[]
  /** Minutes. */
  duration?: number
  voice?: Voice
  narratorFemale?: string | null
  narratorMale?: string | null
  isFree?: boolean
  status?: Status
  publishedAt?: Date
  importId?: string
  /** The member whose own item it is: then it is no item of the library, and seen by them alone. */
  userId?: string
}

export type Published = { id: string; slug: string; title: string; status: Status; warnings: string[] }

/**
 * Makes one item of the library (source `pre_uploaded`), or a member's own, of a text that `admitText` has let in. What the
 * guidelines hold is kept as `held` until an operator has looked. Run it in a transaction with the audit of
 * who did it.
 */
export async function publish(db: Executor, draft: Draft, admitted?: AdmittedText): Promise<Published> {
  const text =
    admitted ?? (await admitText(db, draft, { actor: 'nocturne', role: 'operator', door: 'create' }))
  const [published] = await publishAll(db, [{ draft, text }])
  if (!published) throw new Error('The insert answered no row.')
  return published
}

/** Makes many items at once: one insert, with slugs that are free. The order of the answers is that of the drafts. */
export async function publishAll(
  db: Executor,
  drafts: readonly { draft: Draft; text: AdmittedText }[],
): Promise<Published[]> {
  const slugs = await freeSlugs(
    db,
    drafts.map(({ draft, text }) => (draft.userId ? ownSlug(text.title) : slugOf(text.title))),
  )
  const rows = drafts.map(({ draft, text }, at) => toRow(draft, text, slugs[at] ?? newId()))
  // In parts: one statement holds its rows three times over while it is sent.
  for (let from = 0; from < rows.length; from += 500)
    await db.insert(stories).values(rows.slice(from, from + 500))
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

function toRow(draft: Draft, text: AdmittedText, slug: string) {
  const id = newId()
  return {
    id,
    slug,
    premiumContentId: draft.userId ? null : id,
    source: draft.userId ? ('user_generated' as const) : ('pre_uploaded' as const),
    userId: draft.userId ?? null,
    type: draft.type ?? 'story',
    status: text.isHeld ? ('held' as const) : (draft.status ?? 'published'),
    heldFrom: text.isHeld ? (draft.status ?? 'published') : null,
    title: text.title,
    titleKey: titleKey(text.title),
    description: text.description,
    excerpt: text.excerpt || preview(text.content, excerptCharactersMax),
    content: text.content,
    wordCount: countWords(text.content),
    categories: [...draft.categories],
    tags: [...(draft.tags ?? [])],
    contentNotes: [...(draft.contentNotes ?? [])],
    duration: draft.duration ?? durationMinutesDefault,
    voice: draft.voice ?? 'female',
    narratorFemale: draft.narratorFemale ?? null,
    narratorMale: draft.narratorMale ?? null,
    isFree: draft.isFree ?? false,
    importId: draft.importId ?? null,
    ...(draft.publishedAt && { publishedAt: draft.publishedAt }),
  }
}

/** A member's titles take no address from the library, and its number tells nobody of theirs. */
function ownSlug(title: string): string {
  return `${slugOf(title)}-${crypto.randomUUID().slice(0, 8)}`
}

/** Slugs that nobody has: the wanted one, else with the first free number behind it. */
async function freeSlugs(db: Executor, wanted: readonly string[]): Promise<string[]> {
  const taken = new Set<string>()
  const asked = [...new Set(wanted)]
  for (let from = 0; from < asked.length; from += 500) {
    const part = asked.slice(from, from + 500)
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
