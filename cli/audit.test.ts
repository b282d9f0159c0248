import { expect, test } from 'bun:test'
import { testTerminal } from '#cli/testing'
import { recordChange } from '#src/operator/audit'

const { db, run } = await testTerminal()

test('audit list and audit export write changes as sentences and filter them by actor and action', async () => {
  await recordChange(db, 'Ada', { action: 'login', subjectType: 'operator' })
  await recordChange(db, 'Jonas', {
    action: 'remove',
    subjectType: 'item',
    subjectId: crypto.randomUUID(),
    before: { title: 'The Kite' },
  })
  const listed = await run('audit', 'list')
  expect(listed.out).toMatch(/Jonas removed “The Kite”\n.*Ada signed in\n/)
  expect((await run('audit', 'list', '--actor', 'Ada')).out).not.toContain('Kite')
  const exported = await run('audit', 'export', '--action', 'item.remove')
  expect(exported.out.trim().split('\r\n')).toHaveLength(2)
  expect(exported.out).toContain('"Jonas","removed “The Kite”"')
  const odd = await run('audit', 'list', '--action', 'fly')
  expect(odd.code).toBe(2)
  expect(odd.err).toContain('"fly" is not a valid action')
})

test('audit list prints the total number of changes and continues from a cursor', async () => {
  for (let at = 0; at < 3; at += 1)
    await recordChange(db, `Mara ${at}`, { action: 'login', subjectType: 'operator' })
  const all = (await run('audit', 'list')).out.trim().split('\n')
  const first = await run('audit', 'list', '--limit', '2')
  expect(first.err).toContain(`2 of ${all.length} changes\n`)
  const cursor = first.err.match(/Continue with --cursor (\S+)/)?.[1] ?? ''
  const rest = await run('audit', 'list', '--cursor', cursor)
  expect(`${first.out}${rest.out}`.trim().split('\n')).toEqual(all)
  expect(rest.err).not.toContain('--cursor')
  expect((await run('audit', 'list', '--limit', 'many')).code).toBe(2)
})
