import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { testTerminal } from '#cli/testing'
import { auditLog, stories } from '#db/schema'
import { register } from '#src/member/sign-in/register'
import { memberPassword } from '#src/testing/app'

const { db, run } = await testTerminal()
const { id: userId } = await register(db, { email: 'mara@example.com', password: memberPassword }, 'mara')
const content = 'I wrote to the lighthouse keeper every night.'
const [item] = await db
  .insert(stories)
  .values({
    title: 'Letters to Nobody',
    titleKey: 'letters to nobody',
    slug: 'letters-to-nobody',
    content,
    type: 'story',
    source: 'user_generated',
    status: 'published',
    userId,
  })
  .returning({ id: stories.id })
const id = item?.id ?? ''

test('no command shows a member’s private item', async () => {
  for (const words of [
    ['script', 'show', 'letters-to-nobody'],
    ['script', 'enhance', id],
    ['narrate', id, '--estimate'],
    ['stories', 'show', id],
  ]) {
    const { code, out, err } = await run(...words)
    expect({ words, code: code === 0, shows: `${out}${err}`.includes('lighthouse') }).toEqual({
      words,
      code: false,
      shows: false,
    })
  }
})

test('script show opens a member’s held item and writes that to the audit log', async () => {
  await db.update(stories).set({ status: 'held' }).where(eq(stories.id, id))
  expect((await run('script', 'show', id)).out).toContain('lighthouse')
  expect(await db.select({ action: auditLog.action, after: auditLog.after }).from(auditLog)).toEqual([
    { action: 'open_members_story', after: { because: 'held' } },
  ])
})
