import { expect, test } from 'bun:test'
import { testTerminal } from '#cli/testing'
import { auditLog, stories } from '#db/schema'
import { listJobs } from '#src/job/queries'
import { mailKind } from '#src/mail/send-mail'
import { reportItem } from '#src/moderation/report'
import { publish } from '#src/story/publish'

const { db, run: runAny } = await testTerminal()
const run = (...words: string[]) => runAny('moderation', ...words)

test('a report is listed, removed and approved, and both decisions are in the audit log', async () => {
  const { id } = await publish(db, {
    title: 'Slow Train North',
    content: 'She lit the lamp.',
    categories: ['romantic'],
  })
  const report = { flagType: 'audio_fault' as const, flagReason: 'Cuts out', email: 'carl@example.com' }
  const stored = await reportItem(db, id, report, { memberId: null, addressHash: 'x' })

  const listed = await run('list', '--json')
  expect(listed).toMatchObject({ code: 0, err: '1 of 1 report\n' })
  expect(JSON.parse(listed.out)).toMatchObject([{ id: stored.id, item: { title: 'Slow Train North' } }])
  expect((await run('list')).out).toContain('Slow Train North')

  expect(await run('remove', stored.id)).toMatchObject({ code: 2, out: '' })
  const removed = await run('remove', stored.id, '--yes', '--notes', 'Not as described', '--json')
  expect(removed.code).toBe(0)
  expect(JSON.parse(removed.out)).toMatchObject({
    moderatorNotes: 'Not as described',
    item: { status: 'removed' },
  })
  expect(await run('remove', stored.id, '--yes')).toMatchObject({ code: 1, out: '' })
  expect((await db.select().from(stories))[0]?.status).toBe('removed')
  // The job is queued here; the server sends the mail when it runs.
  expect(await listJobs(db, { kind: mailKind, state: 'queued' })).toHaveLength(1)

  expect(await run('approve', stored.id)).toMatchObject({
    code: 0,
    out: 'Content approved: Slow Train North\n',
  })
  expect((await db.select().from(stories))[0]?.status).toBe('published')
  const actors = (await db.select().from(auditLog)).filter(({ subjectType }) => subjectType === 'report')
  expect(actors.map(({ actor }) => actor.startsWith('cli:'))).toEqual([true, true])

  expect((await run('list', '--state', 'odd')).code).toBe(2)
  expect((await run('approve', 'odd')).code).toBe(1)
  expect((await run('approve', '--help')).out).toContain('Example')
})
