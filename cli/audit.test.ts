import { expect, test } from 'bun:test'
import { testTerminal } from '#cli/testing'
import { recordChange } from '#src/operator/audit'

const { db, run } = await testTerminal()

test('the audit log is listed, filtered and exported in sentences', async () => {
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
  expect(odd.err).toContain('"fly" is no action')
})
