import { expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { testTerminal } from '#cli/testing'
import { jobs } from '#db/schema'
import { takeJob } from '#src/job/lease'
import { listJobs } from '#src/job/queries'
import { publish } from '#src/story/publish'

const { db, run, runWith, json } = await testTerminal()
const made = (title: string) =>
  publish(db, { title, content: `${title}. She lit the lamp.`, categories: ['romantic'] })

test('a narration is queued by slug, found in the job list, cancelled and retried', async () => {
  await made('The Lamp')
  await made('The Letter')
  expect((await run('narrate', 'the-lamp', '--queue')).out).toBe('1 queued.\n')
  expect((await run('script', 'enhance', 'the-letter')).code).toBe(0)
  const [job] = (await json('jobs', 'list', '--item', 'the-lamp')) as { id: string; kind: string }[]
  expect(job?.kind).toBe('narrate')
  expect(await json('jobs', 'list', '--kind', 'enhance')).toMatchObject([{ title: 'The Letter' }])
  expect((await run('jobs', 'list', '--limit', '1', '--cursor', job?.id ?? '')).out).toBe('')
  expect((await run('jobs', 'cancel', job?.id ?? '')).out).toBe('Cancelled.\n')
  expect((await run('jobs', 'cancel', job?.id ?? '')).code).toBe(1)
  expect(await json('jobs', 'retry', job?.id ?? '')).toMatchObject({ state: 'queued' })
  expect(await listJobs(db, { kind: 'narrate', state: 'queued' })).toHaveLength(1)
})

test('jobs list prints the total number of jobs and continues from a cursor', async () => {
  await made('The Harbour')
  await made('The Mill')
  for (const slug of ['the-harbour', 'the-mill']) await run('narrate', slug, '--queue')
  const all = (await json('jobs', 'list')) as { id: string }[]
  const first = await run('jobs', 'list', '--limit', '1')
  expect(first.err).toContain(`1 of ${all.length} jobs\nContinue with --cursor ${all[0]?.id}\n`)
  const rest = await run('jobs', 'list', '--cursor', all[0]?.id ?? '')
  expect(rest.out.trim().split('\n')).toHaveLength(all.length - 1)
  expect(rest.err).not.toContain('--cursor')
  expect((await run('jobs', 'list', '--item', 'the-mill')).err).toBe('1 of 1 job\n')
})

test('an unknown job kind is rejected instead of matching nothing', async () => {
  for (const command of ['list', 'change retry --dry-run'])
    expect(await run('jobs', ...command.split(' '), '--kind', 'nonsense')).toMatchObject({
      out: '',
      err: expect.stringContaining('narrate, enhance, import, mail'),
    })
})

test('an invalid cursor is rejected instead of listing nothing', async () => {
  for (const list of ['jobs', 'members', 'moderation', 'audit'])
    expect(await run(list, 'list', '--cursor', 'nothing')).toMatchObject({
      code: 1,
      out: '',
      err: 'This cursor does not belong to this list. Start again without it.\n',
    })
})

test('jobs pause and jobs resume stop and start the queue, and jobs list says that it is paused', async () => {
  expect((await run('jobs', 'pause')).out).toContain('The queue is paused')
  expect((await run('jobs', 'list')).err).toContain('The queue is paused')
  expect(await takeJob(db, ['narrate'])).toBeNull()
  expect(await json('audit', 'list', '--limit', '1')).toMatchObject([
    { action: 'set', subjectId: 'jobQueue', after: { value: false } },
  ])
  expect(await json('jobs', 'resume')).toEqual({ isPaused: false })
  expect((await run('jobs', 'list')).err).not.toContain('paused')
})

test('narrate exits at once and says so when the queue is paused', async () => {
  await made('The Quay')
  await run('jobs', 'pause')
  const told = await run('narrate', 'the-quay')
  expect(told).toMatchObject({ code: 1, out: 'The Quay  queued\n' })
  expect(told.err).toContain('The queue is paused')
  await run('jobs', 'resume')
})

test('jobs list says when a running job’s lease has expired', async () => {
  const { id: storyId } = await made('The Ferry')
  await run('narrate', 'the-ferry', '--queue')
  const running = { state: 'running', leasedUntil: sql`now() + interval '1 hour'` } as const
  await db.update(jobs).set(running).where(eq(jobs.storyId, storyId))
  expect((await run('jobs', 'list', '--item', 'the-ferry')).out).not.toContain('gone')
  await db.update(jobs).set({ leasedUntil: sql`now()` }).where(eq(jobs.storyId, storyId))
  expect((await run('jobs', 'list', '--item', 'the-ferry')).out).toContain(
    'Its process has ended; it resumes automatically.',
  )
})

test('a script is shown and edited by slug; unknown items and invalid options are rejected', async () => {
  await made('The Pier')
  const marked = '[whisper]The Pier.[/whisper] She lit the lamp.'
  const edited = await runWith(marked, 'script', 'edit', 'the-pier', '-')
  expect(edited).toMatchObject({ code: 0, out: 'Saved.\n' })
  expect((await run('script', 'show', 'the-pier')).out).toContain('[whisper]The Pier.')
  expect((await runWith('Other words.', 'script', 'edit', 'the-pier', '-')).code).toBe(1)
  expect((await run('script', 'edit', 'the-pier', 'nowhere.txt')).code).toBe(2)
  expect((await run('script', 'show', 'no-such-item')).code).toBe(1)
  expect(await run('narrate', 'no-such-item', '--queue')).toMatchObject({
    code: 1,
    err: 'There is no item no-such-item.\n',
  })
  expect((await run('jobs', 'list', '--state', 'odd')).code).toBe(2)
  expect((await run('jobs', 'list', '--limit', '0')).code).toBe(2)
})
