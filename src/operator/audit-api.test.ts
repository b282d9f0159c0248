import { expect, test } from 'bun:test'
import { browser, memberBrowser, operatorBrowser, testApp } from '#src/testing/app'
import { recordChange } from './audit'

const { app, services } = await testApp()
const operator = await operatorBrowser(app)

test('the audit log is read by operators alone, page by page, the newest first, by who', async () => {
  for (const each of [browser(app), await memberBrowser(app, 'mara@example.com')]) {
    expect((await each.call('/api/audit')).status).toBe(401)
    expect(await (await each.call('/audit')).text()).not.toContain('The Pier')
  }
  for (const title of ['The Kite', 'The Well', 'The Pier'])
    await recordChange(services.db, title === 'The Well' ? 'Jonas' : 'Ada', {
      action: 'edit',
      subjectType: 'item',
      before: { title: 'The Draft' },
      after: { title },
    })
  const first = await operator.call('/api/audit?limit=2')
  const changes = await first.json()
  expect(changes.map(({ after }: { after: { title: string } }) => after.title)).toEqual([
    'The Pier',
    'The Well',
  ])
  const next = new URL(first.headers.get('link')?.match(/<(.+)>/)?.[1] ?? '')
  const rest = await operator.json(next.pathname + next.search)
  expect(rest[0]).toMatchObject({ actor: 'Ada', action: 'edit', before: { title: 'The Draft' } })
  expect(await operator.json('/api/audit?actor=Jonas')).toHaveLength(1)
  const html = await (await operator.call('/audit?actor=Jonas')).text()
  expect(html).toContain('<del>The Draft</del><ins>The Well</ins>')
  expect(html).not.toContain('The Pier')
  expect((await operator.call('/audit?cursor=nothing')).status).toBe(200)
})
