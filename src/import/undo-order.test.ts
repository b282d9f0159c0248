import { beforeEach, expect, test } from 'bun:test'
import { and, eq, ne, sql } from 'drizzle-orm'
import { stories } from '#db/schema'
import { rowOfObject } from '#src/import/rows/read-rows'
import { editItem } from '#src/library/edit'
import { publish } from '#src/story/publish'
import { testApp } from '#src/testing/app'
import { applyImport } from './apply'
import { decodeRows } from './decode-rows'
import { undoImport } from './undo'

/**
 * Runs imports, edits and undos in random orders against a model. Each field has a stack of writers, from which an undo
 * removes the batch's entries. The library shows the top entry. A person's edit is never removed.
 */
const { services } = await testApp()
const { db } = services
beforeEach(
  async () => void (await db.execute(sql`truncate stories, imports, import_changes, audit_log cascade`)),
)

const fields = ['content', 'description', 'tags'] as const
type Field = (typeof fields)[number]
type Sheet = { by: string; value: string }
type Modelled = { madeBy: string; piles: Record<Field, Sheet[]> }
const titles = ['The Lamp', 'The Boat', 'The Quay', 'The Letter']

/** mulberry32: the same seed gives the same sequence. */
function randomOf(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

const importObjects = async (rows: Record<string, unknown>[]) => {
  const decoded = await decodeRows(
    db,
    rows.map((each, at) => rowOfObject(each, at + 1)),
    'Ada',
  )
  const { batchId } = await applyImport(
    db,
    { kind: 'items', fileName: null, rows: decoded, audio: [], strict: true, narrate: 'none' },
    'Ada',
  )
  return batchId ?? ''
}
const library = async () =>
  db
    .select({
      title: stories.title,
      content: stories.content,
      description: stories.description,
      excerpt: stories.excerpt,
      tags: stories.tags,
      status: stories.status,
      words: stories.wordCount,
    })
    .from(stories)
    .where(ne(stories.status, 'removed'))
    .orderBy(stories.title)
const top = (pile: readonly Sheet[]) => pile.at(-1)?.value ?? ''

function undoInModel(model: Map<string, Modelled>, batch: string): void {
  for (const [title, item] of model) {
    const piles = Object.values(item.piles)
    const writers = new Set(piles.flat().map(({ by }) => by))
    if (!writers.has(batch)) continue
    if (item.madeBy !== batch) {
      for (const field of fields) item.piles[field] = item.piles[field].filter(({ by }) => by !== batch)
      continue
    }
    const heir = [...writers].filter((by) => by !== batch && by !== 'base').sort()[0]
    if (writers.has('hand')) claim(item, batch, 'base')
    else if (heir) inherit(item, batch, heir)
    else model.delete(title)
  }
}

/** Passes the batch's values on to `by`. As `base` they can no longer be removed by an undo. */
function claim(item: Modelled, batch: string, by: string): void {
  item.madeBy = by
  for (const pile of Object.values(item.piles))
    for (const sheet of pile) if (sheet.by === batch) sheet.by = by
}

function inherit(item: Modelled, batch: string, heir: string): void {
  for (const field of fields)
    if (item.piles[field].some(({ by }) => by === heir))
      item.piles[field] = item.piles[field].filter(({ by }) => by !== batch)
  claim(item, batch, heir)
}

type Story = { random: (below: number) => number; model: Map<string, Modelled>; open: string[] }

async function importSome({ random, model, open }: Story, value: string): Promise<void> {
  const shown = titles
    .filter(() => random(2) === 0)
    .flatMap((title) => {
      const named = model.has(title) ? fields.filter(() => random(2) === 0) : fields
      return named.length > 0 ? [{ title, named }] : []
    })
  if (shown.length === 0) return
  const batch = await importObjects(
    shown.map(({ title, named }) => ({
      title,
      // A row must state its text. An unchanged text changes nothing.
      content: top(model.get(title)?.piles.content ?? []),
      ...Object.fromEntries(named.map((field) => [field, value])),
    })),
  )
  open.push(batch)
  for (const { title, named } of shown) {
    const piles = { content: [], description: [], tags: [] }
    const item: Modelled = model.get(title) ?? { madeBy: batch, piles }
    for (const field of named) item.piles[field].push({ by: batch, value })
    model.set(title, item)
  }
}

async function editOne({ random, model }: Story, value: string): Promise<void> {
  const [title, item] = [...model][random(Math.max(1, model.size))] ?? []
  const field = fields[random(fields.length)]
  if (!title || !item || !field) return
  const [found] = await db
    .select({ id: stories.id })
    .from(stories)
    .where(and(eq(stories.title, title), ne(stories.status, 'removed')))
  await editItem(db, found?.id ?? '', { [field]: value }, 'Ada')
  item.piles[field].push({ by: 'hand', value })
}

async function undoOne({ random, model, open }: Story): Promise<void> {
  const [batch] = open.splice(random(Math.max(1, open.length)), 1)
  if (batch === undefined) return
  await undoImport(db, batch, 'Ada')
  undoInModel(model, batch)
}

const describeModel = (model: ReadonlyMap<string, Modelled>) =>
  [...model]
    .map(([title, { piles }]) => ({
      title,
      content: top(piles.content),
      excerpt: top(piles.content),
      description: top(piles.description),
      tags: [top(piles.tags)],
    }))
    .sort((a, b) => (a.title < b.title ? -1 : 1))

for (let seed = 1; seed <= 40; seed += 1)
  test(`random imports, edits and undos never lose a manual edit (${seed})`, async () => {
    const story: Story = { random: randomOf(seed), model: new Map(), open: [] }
    await publish(db, {
      title: 'The Lamp',
      content: 'base',
      description: 'base',
      tags: ['base'],
      categories: [],
    })
    const pile = () => [{ by: 'base', value: 'base' }]
    story.model.set('The Lamp', {
      madeBy: 'base',
      piles: { content: pile(), description: pile(), tags: pile() },
    })
    for (let step = 0; step < 14; step += 1) {
      const act = story.random(10)
      if (act < 4) await importSome(story, `value ${step}`)
      else if (act < 7) await editOne(story, `value ${step}`)
      else await undoOne(story)
      const shown = (await library()).map(({ status, words, ...item }) => item)
      expect(shown).toEqual(describeModel(story.model))
    }
  })

test('undoing an untouched import restores the library exactly', async () => {
  await importObjects(
    titles.slice(0, 2).map((title) => ({ title, content: 'A first text.', status: 'draft' })),
  )
  const before = await library()
  const batch = await importObjects(
    titles.map((title) => ({
      title,
      content: 'Another.',
      description: 'New.',
      tags: 'sea',
      status: 'published',
    })),
  )
  expect(await library()).toHaveLength(4)
  await undoImport(db, batch, 'Ada')
  expect(await library()).toEqual(before)
  expect(await db.$count(stories, eq(stories.status, 'removed'))).toBe(2)
})

test('overlapping imports undone in any order restore the original library', async () => {
  for (const order of [
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
  ]) {
    await db.execute(sql`truncate stories, imports, import_changes cascade`)
    await publish(db, { title: 'The Lamp', content: 'base', categories: ['gay'] })
    const before = await library()
    const batches: string[] = []
    for (const value of ['one', 'two', 'three'])
      batches.push(
        await importObjects(
          titles.map((title) => ({ title, content: value, description: value, tags: value })),
        ),
      )
    for (const at of order) await undoImport(db, batches[at] ?? '', 'Ada')
    expect([order, await library()]).toEqual([order, before])
  }
})
