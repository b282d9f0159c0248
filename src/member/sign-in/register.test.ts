import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { users } from '#db/schema'
import { browser, testApp } from '#src/testing/app'

const { app, services } = await testApp()
const { db } = services
const password = 'lanterns on the water'
const noMail = [
  'a,b@example.com',
  '<x>@example.com',
  'a;b@example.com',
  'a@b@example.com',
  'ana@exam"ple.com',
]

test.each(noMail)('registration rejects an undeliverable address: %s', async (email) => {
  const answer = await browser(app).call('/api/auth/register', { json: { email, password } })
  expect([answer.status, (await answer.json()).fields]).toEqual([
    422,
    [{ path: 'email', message: expect.any(String) }],
  ])
  const form = { email, password }
  expect((await browser(app).call('/register', { form })).status).toBe(422)
  expect(await db.$count(users)).toBe(0)
})

test('an existing account with an undeliverable address can still sign in', async () => {
  await browser(app).call('/api/auth/register', { json: { email: 'ana@example.com', password } })
  const [email = ''] = noMail
  await db.update(users).set({ email }).where(eq(users.email, 'ana@example.com'))
  const answer = await browser(app).call('/api/auth/login', { json: { email, password } })
  expect(answer.status).toBe(200)
})
