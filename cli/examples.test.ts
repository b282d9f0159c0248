import { expect, test } from 'bun:test'
import { testTerminal } from '#cli/testing'
import { auditLog } from '#db/schema'
import { listExamples } from '#src/example/examples'

const { db, run, runWith, json } = await testTerminal()

test('a training example is added, rated, approved, withdrawn and removed', async () => {
  const added = await runWith('The train left at ten.', 'examples', 'add', 'Two strangers on a train', '-')
  expect(added).toMatchObject({ code: 0, err: 'Training example added\n' })
  const id = added.out.trim()
  expect(await json('examples', 'edit', id, '--rating', '4', '--notes', 'Slower')).toMatchObject({
    qualityRating: 4,
    improvementNotes: 'Slower',
  })
  expect(await json('examples', 'edit', id, '--rating', 'none')).toMatchObject({ qualityRating: null })
  expect(await json('examples', 'approve', id)).toMatchObject({
    isApproved: true,
    improvementNotes: 'Slower',
  })
  expect((await run('examples', 'withdraw', id)).out).toBe('No longer approved.\n')
  const actual = await runWith('It came out so.', 'examples', 'edit', id, '--actual', '-')
  expect(actual.out).toBe('Saved.\n')
  expect(await listExamples(db)).toMatchObject([{ isApproved: false, actualOutput: 'It came out so.' }])

  expect((await run('examples', 'remove', id)).code).toBe(2)
  expect(await json('examples', 'remove', id, '--yes')).toEqual({ id, removed: true })
  expect(await listExamples(db)).toEqual([])
  expect(await run('examples', 'remove', id, '--yes')).toMatchObject({
    code: 1,
    err: 'There is no such example. It may have been removed.\n',
  })
  const actors = new Set((await db.select().from(auditLog)).map(({ actor }) => actor.slice(0, 4)))
  expect([...actors]).toEqual(['cli:'])
})

test('examples commands exit with 2 for wrong usage and with 1 for an unknown example', async () => {
  expect((await run('examples', 'edit', 'odd')).code).toBe(2)
  expect((await run('examples', 'edit', 'odd', '--rating', '9')).code).toBe(2)
  expect((await run('examples', 'add', 'A prompt', 'nowhere.txt')).code).toBe(2)
  expect((await run('examples', 'approve', 'odd')).code).toBe(1)
})
