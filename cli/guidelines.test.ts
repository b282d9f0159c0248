import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { testTerminal } from '#cli/testing'
import { auditLog, stories } from '#db/schema'
import { listGuidelines } from '#src/guideline/queries'
import { runScans } from '#src/guideline/testing'
import { HeldItem } from '#src/review/schema'

const { db, run, runWith, json } = await testTerminal()
const missing = '019c0000-0000-7000-8000-000000000000'

test('a rule is added as inactive, activated, deactivated and removed', async () => {
  const { id } = (await json('guidelines', 'add', 'asked her twice', '--off')) as { id: string }
  const isActive = async () => (await listGuidelines(db)).find((rule) => rule.id === id)?.isActive
  expect(await isActive()).toBe(false)
  expect(await json('guidelines', 'activate', id)).toMatchObject({ isActive: true })
  expect((await run('guidelines', 'deactivate', id)).out).toBe('The rule is off.\n')
  expect(await isActive()).toBe(false)
  expect((await run('guidelines', 'remove', id)).code).toBe(2)
  expect((await run('guidelines', 'remove', id, '--yes')).code).toBe(0)
  expect(await isActive()).toBeUndefined()
  const deeds = (await db.select().from(auditLog)).map(({ actor, action }) => [actor.slice(0, 4), action])
  expect(deeds).toEqual(['add', 'activate', 'deactivate', 'remove'].map((action) => ['cli:', action]))
})

test('a built-in or unknown rule cannot be changed, and a rule without keywords cannot be added', async () => {
  const [builtIn] = (await listGuidelines(db)).filter((rule) => rule.builtIn)
  expect(await run('guidelines', 'deactivate', builtIn?.id ?? '')).toMatchObject({
    code: 1,
    err: 'This rule is built in. Add rules of your own; it cannot be removed.\n',
  })
  expect((await run('guidelines', 'activate', missing)).code).toBe(1)
  expect((await run('guidelines', 'activate')).code).toBe(2)
  expect((await run('guidelines', 'add', ' , ')).err).toBe('Please enter at least one keyword or phrase.\n')
  expect((await run('guidelines', 'add', 'a word', '--severity', 'odd')).code).toBe(2)
})

test('an item held by a rule is approved by its slug', async () => {
  await run('guidelines', 'add', 'asked her twice', '--severity', 'high')
  const added = await runWith('He asked her twice.', 'stories', 'add', 'The Question', '-')
  expect(added.err).toStartWith('Held for review: The Question.')
  expect(await json('guidelines', 'approve', 'the-question')).toMatchObject({ status: 'published' })
  const [item] = await db.select().from(stories).where(eq(stories.slug, 'the-question'))
  expect(item?.status).toBe('published')
  expect((await run('guidelines', 'approve', 'the-question')).code).toBe(1)
})

test('a rule that would hold many items needs --yes, and its items are approved, refused or released', async () => {
  for (const title of ['One', 'Two', 'Three']) await runWith('A paper lantern.', 'stories', 'add', title, '-')
  const preview = await json('guidelines', 'add', 'lantern', '--dry-run')
  expect(preview).toMatchObject({ held: 3, total: 4, needsConfirmation: true })
  const refused = await run('guidelines', 'add', 'lantern')
  expect(refused.code).toBe(2)
  expect(refused.err).toContain('This would hold 3 of 4 items.')
  expect(refused.err).toContain('A paper [lantern].')
  const { id } = (await json('guidelines', 'add', 'lantern', '--yes')) as { id: string }
  await runScans(db)
  const held = (await json('guidelines', 'held')) as { rules: object[]; items: object[] }
  expect(held.rules).toMatchObject([{ ruleId: id, held: 3 }])
  // The output has the API's shape, and none of the row's other columns.
  expect(held.items.map((item) => Object.keys(item).sort())).toEqual(
    Array(3).fill(Object.keys(HeldItem.properties).sort()),
  )

  expect(await json('guidelines', 'approve', 'one')).toMatchObject({ status: 'published' })
  expect((await run('guidelines', 'refuse', 'two', 'three')).code).toBe(2)
  expect((await run('guidelines', 'refuse', 'two')).code).toBe(0)
  expect((await run('guidelines', 'approve')).code).toBe(2)
  expect((await run('guidelines', 'approve', '--all', '--rule', id)).code).toBe(2)
  const edited = await json('guidelines', 'edit', id, '--keywords', 'lamp, candle')
  expect(edited).toMatchObject({ keywords: ['lamp', 'candle'], version: 2 })
  await runScans(db)
  expect(await json('guidelines', 'held')).toMatchObject({ rules: [], items: [] })

  await json('guidelines', 'edit', id, '--allow', 'a candle', '--keywords', 'paper', '--yes')
  await runScans(db)
  expect(await json('guidelines', 'approve', '--rule', id)).toMatchObject({ decided: 2, undecided: 0 })
  expect(await json('guidelines', 'refuse', '--all', '--yes')).toMatchObject({ decided: 0 })
})
