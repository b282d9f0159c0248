import { expect, test } from 'bun:test'
import { testTerminal } from '#cli/testing'
import { auditLog, challenges } from '#db/schema'
import { publish } from '#src/story/publish'

const { db, run, json } = await testTerminal()

const flow = (title: string) =>
  publish(db, { title, content: `${title}. Breathe in.`, type: 'flow', categories: ['romantic'] })
await flow('First Breath')
await flow('Second Breath')
const days = (challenge: unknown) => (challenge as { days: { slug: string }[] }).days.map(({ slug }) => slug)

test('a challenge is created from slugs, then shown, edited, published and removed by its name', async () => {
  const made = await json('challenges', 'create', 'Two Evenings', 'first-breath', 'second-breath')
  expect(made).toMatchObject({ name: 'Two Evenings', totalDays: 2, isPublished: false })
  const shown = await run('challenges', 'show', 'two evenings')
  expect(shown.out).toMatch(/^Two Evenings\n.*\ndraft, 2 days, 30 min\nDay 1 +first-breath +First Breath\n/)

  const edit = ['challenges', 'edit', 'Two Evenings', '--days', 'second-breath, first-breath']
  expect(days(await json(...edit))).toEqual(['second-breath', 'first-breath'])
  const renamed = await json('challenges', 'edit', 'Two Evenings', '--name', 'Two Nights')
  expect(days(renamed)).toEqual(['second-breath', 'first-breath'])
  expect((await run('challenges', 'publish', 'Two Nights')).err).toBe('Challenge published\n')
  expect((await run('challenges', 'unpublish', 'Two Nights')).err).toBe('Draft saved\n')

  expect((await run('challenges', 'remove', 'Two Nights')).code).toBe(2)
  expect(await json('challenges', 'remove', 'Two Nights', '--yes')).toMatchObject({ removed: true })
  expect(await db.select().from(challenges)).toEqual([])
  const deeds = (await db.select().from(auditLog)).map(({ actor, action }) => [actor.slice(0, 4), action])
  expect(deeds).toEqual(
    ['create', 'edit', 'edit', 'edit', 'edit', 'remove'].map((action) => ['cli:', action]),
  )
})

test('challenges commands exit with 1 for an unknown or ambiguous name and with 2 for wrong usage', async () => {
  expect(await run('challenges', 'create', 'Odd', 'first-breath', 'no-such-flow')).toEqual({
    code: 1,
    out: '',
    err: 'Day 2 names no item of the library.\n',
  })
  expect((await run('challenges', 'create', 'Odd')).code).toBe(2)
  expect((await run('challenges', 'edit', 'Odd')).code).toBe(2)
  for (const act of ['show', 'publish', 'unpublish'])
    expect((await run('challenges', act, 'Odd')).err).toBe(
      'There is no such challenge. It may have been withdrawn.\n',
    )
  await run('challenges', 'create', 'Twice', 'first-breath')
  await run('challenges', 'create', 'Twice', 'second-breath')
  expect(await run('challenges', 'remove', 'Twice', '--yes')).toMatchObject({
    code: 1,
    err: 'More than one challenge has that name. Use its id.\n',
  })
})
