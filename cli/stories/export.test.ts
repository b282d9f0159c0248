import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { testTerminal } from '#cli/testing'
import { stories } from '#db/schema'
import { publish } from '#src/story/publish'

const here = await testTerminal()
const there = await testTerminal()

const shown = {
  title: stories.title,
  type: stories.type,
  content: stories.content,
  description: stories.description,
  excerpt: stories.excerpt,
  categories: stories.categories,
  tags: stories.tags,
  contentNotes: stories.contentNotes,
  duration: stories.duration,
  voice: stories.voice,
  narratorFemale: stories.narratorFemale,
  status: stories.status,
  isFree: stories.isFree,
  publishedAt: stories.publishedAt,
}
const libraryOf = (terminal: typeof here) => terminal.db.select(shown).from(stories).orderBy(stories.title)

await publish(here.db, {
  title: '=HYPERLINK("a")',
  content: `'-No,' she said.\n\n“Quotes”, "commas", and\nlines: @home. ${'A word. '.repeat(60)}`,
  description: '+1',
  categories: ['romantic', 'bdsm'],
  tags: ['sea', 'strangers'],
  contentNotes: ['grief'],
  voice: 'female',
  narratorFemale: 'rachel',
  duration: 25,
})
await publish(here.db, {
  title: "'-Already marked",
  content: 'She lit the lamp.',
  excerpt: 'Written by hand.',
  type: 'flow',
  voice: 'male',
  categories: ['gay'],
  status: 'draft',
  isFree: true,
})

for (const extension of ['csv', 'tsv', 'txt', 'json'])
  test(`an export as .${extension} round-trips to another instance, and re-importing it changes nothing`, async () => {
    const file = join(here.folder, `library.${extension}`)
    expect(await here.json('stories', 'export', '--out', file)).toEqual({ files: [file], items: 2 })
    expect((await here.run('stories', 'import', file)).out).not.toMatch(/change|new/)
    expect((await there.run('stories', 'import', file)).code).toBe(0)
    expect(await libraryOf(there)).toEqual(await libraryOf(here))
    await there.db.delete(stories)
  })

test('an export goes to standard output by default, is filtered, and escapes formulas in CSV cells', async () => {
  const { out, err } = await here.run('stories', 'export', '--type', 'flow')
  expect(JSON.parse(out)).toMatchObject([{ title: "'-Already marked", status: 'draft' }])
  expect(err).toBe('Exported 1 item\n')
  const csv = (await here.run('stories', 'export', '--format', 'csv')).out
  expect(csv).not.toMatch(/(^|,)"[=+\-@]/m)
  expect(JSON.parse((await there.run('stories', 'export')).out)).toEqual([])
  expect((await here.run('stories', 'export', '--out', 'library.doc')).code).toBe(2)
  expect(await here.run('stories', 'export', 'library.csv')).toMatchObject({ code: 2, out: '' })
  const nowhere = await here.run('stories', 'export', '--out', 'no/folder/library.csv')
  expect(nowhere).toMatchObject({ code: 1, out: '' })
  expect(nowhere.err).toMatch(/^no\/folder\/library.csv cannot be written\./)
})
