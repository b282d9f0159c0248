import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { testTerminal } from '#cli/testing'
import { auditLog, stories } from '#db/schema'
import { listJobs } from '#src/job/queries'
import { narrateKind } from '#src/narration/enqueue'
import { addGuideline } from '#src/review/change-guideline'
import { publish } from '#src/story/publish'

const { db, folder, run, runWith, json } = await testTerminal()
const missing = 'There is no such item. It may have been removed.\n'

const item = (title: string) =>
  publish(db, { title, content: `${title}. She lit the lamp and waited.`, categories: ['romantic'] })
const statusOf = async (id: string) =>
  (await db.select({ status: stories.status }).from(stories).where(eq(stories.id, id)))[0]?.status
const deedsOn = async (id: string) =>
  (await db.select().from(auditLog).where(eq(auditLog.subjectId, id))).map(({ action, actor }) => [
    action,
    actor.slice(0, 4),
  ])

test('stories add publishes an item from a file, queues its narration and writes to the audit log', async () => {
  const file = join(folder, 'ferry.txt')
  await Bun.write(file, 'The last boat left at ten.\n\nShe was on it.')
  const added = await json(
    ...['stories', 'add', 'The Night Ferry', file, '--categories', 'romantic, lesbian'],
    ...['--tags', 'sea, strangers', '--voice', 'rachel', '--duration', '20', '--free', '--narrate'],
  )
  expect(added).toMatchObject({
    slug: 'the-night-ferry',
    status: 'published',
    categories: ['romantic', 'lesbian'],
    tags: ['sea', 'strangers'],
    narratorFemale: 'rachel',
    duration: 20,
    isFree: true,
    warnings: [],
  })
  const { id } = added as { id: string }
  expect(await deedsOn(id)).toEqual([['publish', 'cli:']])
  expect(await listJobs(db, { kind: narrateKind, storyId: id })).toHaveLength(1)
})

test('stories add reads the text from standard input, and saves it as a draft or schedules it', async () => {
  const draft = await runWith('A lamp, and a letter.', 'stories', 'add', 'The Letter', '-', '--draft')
  expect(draft).toMatchObject({ code: 0, err: 'Draft: The Letter\n' })
  expect(draft.out).toContain('the-letter')
  const at = '2030-01-05T20:00:00Z'
  const later = await runWith('Snow fell.', 'stories', 'add', 'The Snow', '-', '--at', at)
  expect(later.err).toBe('Scheduled: The Snow, for 2030-01-05T20:00:00.000Z\n')
})

test('stories add exits with 1 and the API’s message for invalid values, and with 2 for wrong usage', async () => {
  const add = (...words: string[]) => runWith('A text.', 'stories', 'add', ...words)
  expect(await add('Lamps', '-', '--duration', 'long')).toEqual({
    code: 1,
    out: '',
    err: 'Duration must be whole minutes from 1 to 60.\n',
  })
  expect((await add('Lamps', '-', '--categories', 'romantic,odd')).err).toStartWith(
    'Categories must be one of: man and woman',
  )
  expect((await add('Lamps', '-', '--at', 'soon')).err).toBe(
    'Appears must be a time with its zone, such as 2026-11-21T20:15:00Z.\n',
  )
  expect((await add(' ', '-')).code).toBe(1)
  expect(await add('Lamps', 'nowhere.txt')).toMatchObject({ code: 2, err: 'There is no file nowhere.txt.\n' })
  expect((await add('Lamps')).code).toBe(2)
  expect(await add('Lamps', '-', '--dratf')).toMatchObject({
    code: 2,
    err: 'There is no option --dratf. Did you mean --draft? See nocturne stories add --help.\n',
  })
})

test('added and edited texts are checked against the content guidelines', async () => {
  await addGuideline(db, { keywords: 'asked her twice', severity: 'blocking' }, 'test')
  const refused = await runWith('He asked her twice.', 'stories', 'add', 'The Question', '-')
  expect(refused).toMatchObject({ code: 1, out: '' })
  expect(refused.err).toContain('asked her twice')
  const { slug } = await item('A Quiet Bar')
  const edited = await runWith('He asked her twice.', 'stories', 'edit', slug, '--file', '-')
  expect(edited.code).toBe(1)
})

test('an item is shown and edited by slug or id, and omitted fields keep their values', async () => {
  const { id, slug } = await item('The Harbour')
  const edited = await json(...['stories', 'edit', slug, '--title', 'The Old Harbour', '--tags', 'sea'])
  expect(edited).toMatchObject({
    id,
    slug,
    title: 'The Old Harbour',
    tags: ['sea'],
    categories: ['romantic'],
  })
  expect(await json('stories', 'show', id)).toMatchObject({ title: 'The Old Harbour' })
  const shown = await run('stories', 'show', slug)
  expect(shown.out).toMatch(/^Title +The Old Harbour\n/)
  expect(shown.out).toEndWith('The Harbour. She lit the lamp and waited.\n')
  expect(await deedsOn(id)).toEqual([['edit', 'cli:']])
  expect((await run('stories', 'edit', slug)).code).toBe(2)
  expect(await run('stories', 'edit', slug, '--duration', '99')).toMatchObject({
    code: 1,
    err: 'Duration must be whole minutes from 5 to 60.\n',
  })
  for (const none of ['no-such-item', '019c0000-0000-7000-8000-000000000000'])
    expect(await run('stories', 'show', none)).toEqual({ code: 1, out: '', err: missing })
})

test('an item is unpublished, published and scheduled', async () => {
  const { id, slug } = await item('The Lighthouse')
  expect(await run('stories', 'unpublish', slug)).toMatchObject({ code: 0, err: 'Draft: The Lighthouse\n' })
  expect(await statusOf(id)).toBe('draft')
  await run('stories', 'publish', slug)
  expect(await statusOf(id)).toBe('published')
  expect(await json('stories', 'schedule', slug, '2030-01-05T20:00:00Z')).toMatchObject({
    status: 'scheduled',
    publishedAt: '2030-01-05T20:00:00.000Z',
  })
  expect((await run('stories', 'schedule', slug, 'tomorrow')).code).toBe(1)
  const passed = await run('stories', 'schedule', slug, '2020-01-05T20:00:00Z')
  expect(passed).toMatchObject({ code: 1, err: expect.stringContaining('This time has passed.') })
  expect(await statusOf(id)).toBe('scheduled')
  const now = await run('stories', 'schedule', slug, '2020-01-05T20:00:00Z', '--yes')
  expect(now).toMatchObject({ code: 0, err: 'Published: The Lighthouse\n' })
  expect((await run('stories', 'schedule', slug)).code).toBe(2)
  expect((await run('stories', 'publish', 'no-such-item')).err).toBe(missing)
})

test('an item is removed only with --yes, and can be restored', async () => {
  const { id, slug } = await item('The Pier')
  expect((await run('stories', 'remove', slug)).code).toBe(2)
  expect(await statusOf(id)).toBe('published')
  expect(await json('stories', 'remove', slug, '--yes')).toEqual({ id, removed: true })
  expect(await statusOf(id)).toBe('removed')
  expect(await run('stories', 'remove', slug, '--yes')).toMatchObject({ code: 1, err: missing })
  expect(await run('stories', 'restore', slug)).toMatchObject({
    code: 0,
    out: 'Restored, published: The Pier\n',
  })
  expect((await run('stories', 'restore', slug)).code).toBe(1)
})

test('stories list filters by words and continues from a cursor', async () => {
  const { id } = await item('An Unlikely Meadow')
  expect(await json('stories', 'list', '--q', 'meadow')).toMatchObject([{ id }])
  const first = await run('stories', 'list', '--limit', '1')
  const cursor = first.err.match(/--cursor (\S+)/)?.[1] ?? ''
  const second = await run('stories', 'list', '--limit', '1', '--cursor', cursor)
  expect(second.out).not.toBe(first.out)
  expect((await run('stories', 'list', '--status', 'odd')).code).toBe(2)
  expect((await run('stories', 'list', '--limit', 'many')).code).toBe(2)
})
