import { expect, test } from 'bun:test'
import { lockTable } from '#db/testing-lock'
import { operatorBrowser, testApp } from '#src/testing/app'
import { frameEnd } from '#src/ui/awaited-marks'

const { app, services } = await testApp()
const operator = await operatorBrowser(app)

test('the dashboard is sent up to its figures while these are read', async () => {
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

test('where the figures cannot be read, the page that is sent already says so', async () => {
  const unknown = crypto.randomUUID()
  const response = await operator.call(`/analytics?tab=content&item=${unknown}`)
  expect(response.status).toBe(200)
  const page = await response.text()
  expect(page).toContain('Analytics Service Unavailable')
  expect(page).toContain('There is no such item. It may have been removed.')
})
