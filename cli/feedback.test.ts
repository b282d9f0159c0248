import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { testTerminal } from '#cli/testing'
import { auditLog, storyFeedback } from '#db/schema'
import { register } from '#src/member/sign-in/register'
import { exactCountMax } from '#src/shape/list-page'
import { publish } from '#src/story/publish'
import { memberPassword } from '#src/testing/app'
import { rateItem } from '#src/vote/rate'

const { db, run: runAny } = await testTerminal()
const run = (...words: string[]) => runAny('feedback', ...words)

test('comments are listed and removed, and the removal is in the audit log', async () => {
  const { id } = await publish(db, {
    title: 'Slow Train North',
    content: 'She lit the lamp.',
    categories: ['romantic'],
  })
  const member = await register(db, { email: 'ana@example.com', password: memberPassword }, 'x')
  await rateItem(db, member.id, id, { rating: 4, comments: 'The ending\nstayed.' })

  const listed = await run('list', '--json')
  expect(listed).toMatchObject({ code: 0, err: '1 of 1 comment\n' })
  const [comment] = JSON.parse(listed.out)
  expect(comment).toMatchObject({ rating: 4, item: { title: 'Slow Train North' } })
  expect((await run('list', '--item', id)).out).toContain('The ending stayed.')

  expect(await run('remove', comment.id)).toMatchObject({ code: 2, out: '' })
  const removed = await run('remove', comment.id, '--yes')
  expect(removed).toMatchObject({ code: 0, out: 'Comment removed: Slow Train North\n' })
  expect(await run('remove', comment.id, '--yes')).toMatchObject({ code: 1, out: '' })
  expect((await db.select().from(storyFeedback))[0]).toMatchObject({ rating: 4, comments: null })
  const changes = (await db.select().from(auditLog)).filter(({ subjectType }) => subjectType === 'feedback')
  expect(changes.map(({ actor }) => actor.startsWith('cli:'))).toEqual([true])
})

test('feedback list says “of more than 10,000” when there are more comments than it counts', async () => {
  const { id } = await publish(db, { title: 'Crowded Pier', content: 'Said.', categories: ['romantic'] })
  await db.execute(sql`
    insert into story_feedback (id, story_id, rating, comments)
    select gen_random_uuid(), ${id}, 5, 'Warm.' from generate_series(1, ${exactCountMax + 1})`)
  expect((await run('list', '--item', id)).err).toContain(' of more than 10,000 comments\n')
})
