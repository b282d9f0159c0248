import { afterAll, expect, test } from 'bun:test'
import { openDatabase } from '#db/db'
import { createApp } from '#src/server/app'
import { browser, testApp } from '#src/testing/app'

/** The same program with a database that does not exist. */
const { services } = await testApp()
const away = openDatabase('postgres://nobody@127.0.0.1:1/nothing', { max: 1 })
afterAll(() => away.close())
const visitor = browser(createApp({ ...services, db: away }))
const page = (path: string) => visitor.call(path, { headers: { accept: 'text/html' } })

test('Explore returns 503 with Retry-After when the database is down', async () => {
  const response = await page('/')
  expect(response.status).toBe(503)
  expect(response.headers.get('retry-after')).toBe('5')
  const html = await response.text()
  expect(html).toContain('Error loading content')
  expect(html).toContain('Please try refreshing the page')
})

test('Read Stories offers Try Again and Refresh Page when the database is down', async () => {
  const response = await page('/stories?q=ferry')
  expect(response.status).toBe(503)
  const html = await response.text()
  for (const words of ['Failed to Load Stories', 'Try Again', 'Refresh Page']) expect(html).toContain(words)
})

test('an invalid cursor returns 422 even when the database is down', async () => {
  const mangled = await page('/stories?cursor=nonsense')
  expect([mangled.status, (await mangled.text()).includes('href="?"')]).toEqual([422, true])
})
