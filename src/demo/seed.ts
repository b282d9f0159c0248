import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inArray, sql } from 'drizzle-orm'
import type { Database, Transaction } from '#db/db'
import { lock } from '#db/locks'
import { challengeFlows, challenges, demoChallenges, demoItems, stories } from '#db/schema'
import { moderateBy } from '#src/guideline/moderation-gate'
import { findGuidelines } from '#src/guideline/queries'
import { decodeRow } from '#src/import/rows/decode-row'
import { rowOfObject } from '#src/import/rows/read-rows'
import { toDraft as draftOf } from '#src/import/write-items'
import { type ItemDraft, publishAll } from '#src/story/publish'
import { countWords, type ItemType } from '#src/story/rules'

/** Words per minute of a calm narrator, for the estimated length of a demo item without a narration. */
const spokenWordsPerMinute = 140
/** These two are free, so that visitors can hear something before they sign up. */
const freeTitles = ['The Night Ferry', 'Ten Breaths Before Sleep']

/**
 * Inserts the demo library into an empty database: our own stories and flows of src/demo/library. Returns whether it
 * did; a library that has items, or once had, is left alone. Two servers that start at once seed once.
 */
export async function seedDemo(db: Database): Promise<boolean> {
  return db.transaction(async (tx) => {
    await lock(tx, 'demo')
    const [{ is_empty: isEmpty } = { is_empty: false }] = await tx.execute<{ is_empty: boolean }>(
      sql`select not exists (select 1 from ${stories}) and not exists (select 1 from audit_log) and not exists (select 1 from imports) as is_empty`,
    )
    if (!isEmpty) return false
    const drafts = [...readDemo('story'), ...readDemo('flow')]
    const guidelines = await findGuidelines(tx)
    const by = { actor: 'nocturne', role: 'operator', source: 'create' } as const
    const admitted = []
    for (const draft of drafts) admitted.push({ draft, text: await moderateBy(guidelines, draft, by) })
    const published = await publishAll(tx, admitted)
    await tx.insert(demoItems).values(published.map(({ id }) => ({ storyId: id })))
    await addDemoChallenges(tx)
    return true
  })
}

/** Challenges made of our own flows, so that members have one to begin. */
const ourChallenges = [
  {
    name: 'Seven Evenings of Ease',
    description: 'A short flow before bed, seven nights in a row or as near as life allows.',
    flows: [
      'Unwind the Shoulders',
      'Ten Breaths Before Sleep',
      'Warm Hands',
      'Lantern Body Scan',
      'A Slow Tide',
      'A Letter to Yourself',
      'Two Chairs, One Breath',
    ],
  },
  {
    name: 'Three Slow Days',
    description: 'Out of the source, under the rain and back again: three flows for a tired week.',
    flows: ['The Slow Evening Walk', 'Rain on the Skylight', 'Warm Hands'],
  },
]

async function addDemoChallenges(tx: Transaction): Promise<void> {
  for (const { name, description, flows } of ourChallenges) {
    const items = await tx
      .select({ id: stories.id, title: stories.title })
      .from(stories)
      .where(inArray(stories.title, flows))
    const ids = new Map(items.map(({ title, id }) => [title, id]))
    const days = flows.map((title, at) => ({ day: at + 1, storyId: ids.get(title) ?? '' }))
    const [challenge] = await tx
      .insert(challenges)
      .values({ name, description, totalDays: flows.length, publishedAt: new Date() })
      .returning({ id: challenges.id })
    if (!challenge) throw new Error(`The demo challenge ${name} could not be made.`)
    await tx.insert(demoChallenges).values({ challengeId: challenge.id })
    await tx.insert(challengeFlows).values(days.map((day) => ({ ...day, challengeId: challenge.id })))
  }
}

/** Reads the demo items of a type as drafts. */
export function readDemo(type: ItemType): ItemDraft[] {
  const folder = join(import.meta.dir, 'library', type === 'story' ? 'stories' : 'flows')
  return readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => toDraft(type, readFileSync(join(folder, name), 'utf8')))
}

/** Parses front matter, `name: value` lines between two `---`, and the text after it, into the cells of a row. */
function toDraft(type: ItemType, file: string): ItemDraft {
  const [, head = '', text = ''] = file.split(/^---\n/m)
  const values: Record<string, string> = Object.fromEntries(
    head
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2).trim()]),
  )
  const content = text.trim()
  const { item } = decodeRow(rowOfObject({ ...values, type, voice: values.narrator, content }, 1))
  return {
    ...draftOf(item),
    duration: Math.ceil(countWords(content) / spokenWordsPerMinute),
    isFree: freeTitles.includes(item.title),
    publishedAt: new Date(Date.now() - Number(values.publishedDaysAgo || 0) * 86_400_000),
  }
}
