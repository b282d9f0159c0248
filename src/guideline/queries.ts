import { asc, desc, eq, sql } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import type { Executor } from '#db/db'
import { contentGuidelines } from '#db/schema'
import { isId } from '#src/shape/id'
import { appliesTo, builtInGuidelines, type Guideline, type Guidelines, makeGuidelines } from './judge'

/**
 * Finds the rules in force. Compiled rules are cached by a hash of their ids and versions, which is read from the
 * database each time (a millisecond). A rule that changes anywhere applies to the next text, without cache
 * invalidation.
 */
export async function findGuidelines(db: Executor): Promise<Guidelines> {
  const [row] = await db.execute<{ print: string }>(sql`
    select md5(coalesce(string_agg(id::text || version, ',' order by id), '')) as print
    from content_guidelines where is_active`)
  const known = compiled.get(row?.print ?? '')
  if (known) return known
  const { print, guidelines } = await load(db)
  compiled.set(print, guidelines)
  return guidelines
}

/**
 * Compiled rules by the hash, so that the cache need not be cleared. It has room for one database, and a few more in
 * tests.
 */
const compiled = new LRUCache<string, Guidelines>({ max: 8 })

/** Reads the rules and computes their hash from the same query, so that they always belong together. */
async function load(db: Executor): Promise<{ print: string; guidelines: Guidelines }> {
  const rows = await db
    .select()
    .from(contentGuidelines)
    .where(eq(contentGuidelines.isActive, true))
    .orderBy(asc(contentGuidelines.id))
  const print = new Bun.CryptoHasher('md5')
    .update(rows.map(({ id, version }) => `${id}${version}`).join(','))
    .digest('hex')
  return { print, guidelines: makeGuidelines(rows.map((row) => ({ ...row, builtIn: false }))) }
}

/** Lists the operator's rules, newest first and including inactive ones, followed by the built-in ones. */
export async function listGuidelines(db: Executor): Promise<ListedGuideline[]> {
  const rows = await db
    .select()
    .from(contentGuidelines)
    .orderBy(desc(contentGuidelines.createdAt), desc(contentGuidelines.id))
  return [
    ...rows.map((row) => ({ ...row, builtIn: false })),
    ...builtInGuidelines.map((rule) => ({ ...rule, isActive: true, createdAt: null, updatedAt: null })),
  ]
}

export type ListedGuideline = Guideline & {
  isActive: boolean
  createdAt: Date | null
  updatedAt: Date | null
}

export async function findGuideline(db: Executor, id: string): Promise<ListedGuideline | null> {
  if (!isId(id)) return null
  const [row] = await db.select().from(contentGuidelines).where(eq(contentGuidelines.id, id))
  return row ? { ...row, builtIn: false } : null
}

/** The rules for a model's prompt that apply to some categories: what to include, what to follow, and what to avoid. */
export function promptRules(
  { all }: Guidelines,
  categories: readonly string[],
): { positive: string[]; rules: string[]; avoid: string[] } {
  const applying = all.filter((rule) => appliesTo(rule, categories))
  const describe = ({ description, keywords }: Guideline) =>
    [description, keywords.join(', ')].filter(Boolean).join(': ')
  return {
    positive: applying.filter((rule) => rule.ruleType === 'positive_keywords').map(describe),
    rules: applying.filter((rule) => rule.ruleType === 'content_rules').map(describe),
    avoid: applying
      .filter((rule) => rule.ruleType === 'negative_keywords')
      .map(({ description, keywords }) => description || keywords.slice(0, 5).join(', ')),
  }
}
