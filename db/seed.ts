import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inArray, sql } from 'drizzle-orm'
import { challengeFlows, challenges, stories } from '#db/schema'
import { findGuidelines } from '#src/guideline/queries'
import { voiceOfNarrator } from '#src/narration/rules'
import { admitBy } from '#src/story/admit-text'
import { type Draft, publishAll } from '#src/story/publish'
import { countWords, type ItemType } from '#src/story/rules'
import type { Database, Transaction } from './db'

/** Words a minute of a narrator who is in no hurry: the length of a demo item before it is spoken. */
const spokenWordsPerMinute = 140
/** These two can be heard by everyone, so that there is something to hear before signing up. */
const freeTitles = ['The Night Ferry', 'Ten Breaths Before Sleep']

/**
 * Puts the demo library into an empty database: our own stories and flows of db/demo. Answers whether it
 * did; a library that has, or once had, items is left alone. Two servers that start at once seed once.
 */
export async function seedDemo(db: Database): Promise<boolean> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(5400301)`)
    const [{ is_empty: isEmpty } = { is_empty: false }] = await tx.execute<{ is_empty: boolean }>(
      sql`select not exists (select 1 from ${stories}) and not exists (select 1 from audit_log) and not exists (select 1 from imports) as is_empty`,
    )
    if (!isEmpty) return false
    const drafts = [...readDemo('story'), ...readDemo('flow')]
    const guidelines = await findGuidelines(tx)
    const by = { actor: 'nocturne', role: 'operator', door: 'create' } as const
    await publishAll(
      tx,
      drafts.map((draft) => ({ draft, text: admitBy(guidelines, draft, by) })),
    )
    await addDemoChallenges(tx)
    return true
  })
}

/** Rows of our own flows, so that there is something to begin. */
const demoChallenges = [
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
    description: 'Out of the door, under the rain and back again: three flows for a tired week.',
    flows: ['The Slow Evening Walk', 'Rain on the Skylight', 'Warm Hands'],
  },
]

async function addDemoChallenges(tx: Transaction): Promise<void> {
  for (const { name, description, flows } of demoChallenges) {
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
    await tx.insert(challengeFlows).values(days.map((day) => ({ ...day, challengeId: challenge.id })))
  }
}

/** The demo items of a type, as drafts. */
export function readDemo(type: ItemType): Draft[] {
  const folder = join(import.meta.dir, 'demo', type === 'story' ? 'stories' : 'flows')
  return readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => toDraft(type, readFileSync(join(folder, name), 'utf8')))
}

/** Front matter of `name: value` lines between two `---`, then the text. */
function toDraft(type: ItemType, file: string): Draft {
  const [, head = '', content = ''] = file.split(/^---\n/m)
  const values = new Map(
    head
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2).trim()]),
  )
  const value = (name: string) => values.get(name) ?? ''
  const list = (name: string) =>
    value(name)
      .split(',')
      .map((each) => each.trim())
      .filter(Boolean)
  const narrator = value('narrator')
  const voice = voiceOfNarrator(narrator)
  return {
    type,
    title: value('title'),
    description: value('description'),
    excerpt: value('excerpt'),
    content: content.trim(),
    categories: list('categories'),
    tags: list('tags'),
    contentNotes: list('contentNotes'),
    voice,
    narratorFemale: voice === 'female' ? narrator : null,
    narratorMale: voice === 'male' ? narrator : null,
    duration: Math.ceil(countWords(content) / spokenWordsPerMinute),
    isFree: freeTitles.includes(value('title')),
    publishedAt: new Date(Date.now() - Number(value('publishedDaysAgo') || 0) * 86_400_000),
  }
}
