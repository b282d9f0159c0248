import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { lockTable } from '#db/testing-lock'
import { operatorBrowser, testApp } from '#src/testing/app'
import { frameEnd } from '#src/ui/awaited-marks'

const { app, services } = await testApp()
const operator = await operatorBrowser(app)

test('the dashboard’s frame is streamed before its figures are ready', async () => {
  const release = await lockTable(services.db, 'analytics_reach')
  const response = await operator.call('/analytics?tab=content', { headers: { 'accept-encoding': 'gzip' } })
  const reader = response.body?.pipeThrough(new DecompressionStream('gzip')).getReader()
  const { value } = (await reader?.read()) ?? {}
  const frame = new TextDecoder().decode(value)
  expect(frame).toContain('Total users')
  expect(frame).toEndWith(frameEnd)
  expect(frame).not.toContain('</main>')
  await release()
  const rest = new TextDecoder().decode((await reader?.read())?.value)
  expect(rest).toContain('Nothing was played or read in this period.')
  expect(rest).toEndWith('</html>')
})

test('the dashboard shows an error when its figures fail after the frame is sent', async () => {
  const rename = (from: string, to: string) =>
    services.db.execute(sql.raw(`alter table ${from} rename to ${to}`))
  await rename('analytics_reach', 'analytics_reach_elsewhere')
  const response = await operator.call('/analytics?tab=content')
  expect(response.status).toBe(200)
  expect(await response.text()).toContain('Analytics Service Unavailable')
  await rename('analytics_reach_elsewhere', 'analytics_reach')
})

test('an unknown item returns 404 before the frame is sent', async () => {
  for (const item of [crypto.randomUUID(), 'the-night-ferry'])
    expect((await operator.call(`/analytics?tab=content&item=${item}`)).status).toBe(404)
})
