import { beforeEach, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { auditLog } from '#db/schema'
import { browser, memberBrowser, operatorBrowser, testApp } from '#src/testing/app'
import { promptExamples } from './examples'
import { promptExamplesMax } from './rules'

const { app, services } = await testApp()
const { db } = services
const operator = await operatorBrowser(app)
beforeEach(async () => void (await db.execute(sql`truncate training_examples, audit_log cascade`)))

const path = '/api/training-examples'
const draft = {
  inputPrompt: 'Two strangers on a train',
  expectedOutput: 'There was one table.\r\n\r\n\r\nThey sat.',
}
const add = async (more: Record<string, unknown> = {}) => {
  const response = await operator.call(path, { json: { ...draft, ...more } })
  expect(response.status).toBe(201)
  return response.json()
}
const review = (id: string, json: unknown) => operator.call(`${path}/${id}`, { method: 'PATCH', json })

test('a new example is stored cleaned and unapproved, and listed newest first', async () => {
  const made = await add({ categories: ['romantic', 'romantic'], improvementNotes: ' Slower. ' })
  expect(made).toMatchObject({
    inputPrompt: 'Two strangers on a train',
    expectedOutput: 'There was one table.\n\nThey sat.',
    categories: ['romantic'],
    improvementNotes: 'Slower.',
    isApproved: false,
    qualityRating: null,
    actualOutput: null,
  })
  const second = await add()
  expect((await operator.json(path)).map(({ id }: { id: string }) => id)).toEqual([second.id, made.id])
})

test.each([
  [{ inputPrompt: '' }, 'inputPrompt'],
  [{ inputPrompt: ' \n' }, 'inputPrompt'],
  [{ inputPrompt: '\u200b' }, 'inputPrompt'],
  [{ expectedOutput: '\0' }, 'expectedOutput'],
  [{ expectedOutput: '' }, 'expectedOutput'],
  [{ expectedOutput: undefined }, 'expectedOutput'],
  [{ categories: ['poetry'] }, 'categories[0]'],
  [{ improvementNotes: 'x'.repeat(2_001) }, 'improvementNotes'],
])('rejects an example with %p', async (more, field) => {
  const response = await operator.call(path, { json: { ...draft, ...more } })
  expect(response.status).toBe(422)
  expect((await response.json()).fields[0].path).toBe(field)
})

test('rejects an example that a guideline blocks', async () => {
  for (const more of [{ inputPrompt: 'Some age play' }, { expectedOutput: 'Some age play' }]) {
    const response = await operator.call(path, { json: { ...draft, ...more } })
    expect(await response.json()).toMatchObject({ code: 'guideline_blocked' })
  }
  expect(await operator.json(path)).toEqual([])
})

test('approving, rating and removing an example are recorded in the audit log', async () => {
  const { id } = await add()
  expect(await (await review(id, { isApproved: true })).json()).toMatchObject({ isApproved: true })
  expect(await (await review(id, { qualityRating: 4, actualOutput: 'It was late.' })).json()).toMatchObject({
    isApproved: true,
    qualityRating: 4,
    actualOutput: 'It was late.',
  })
  expect((await review(id, { qualityRating: 6 })).status).toBe(422)
  expect(await operator.json(`${path}/${id}`, { method: 'DELETE' })).toEqual({ success: true })
  expect((await operator.call(`${path}/${id}`, { method: 'DELETE' })).status).toBe(404)
  expect((await review(id, { isApproved: true })).status).toBe(404)
  expect((await review('x', { isApproved: true })).status).toBe(404)
  const changes = await db.select().from(auditLog).orderBy(auditLog.at)
  expect(changes.map(({ action }) => action)).toEqual(['add', 'approve', 'edit', 'remove'])
})

test(`a prompt uses the first ${promptExamplesMax} approved examples, those of its categories first, then the best rated`, async () => {
  const approve = async (more: Record<string, unknown>, qualityRating = 4) => {
    const { id } = await add(more)
    await review(id, { isApproved: true, qualityRating })
  }
  await add({ inputPrompt: 'not approved' })
  await approve({ inputPrompt: 'everywhere' }, 5)
  await approve({ inputPrompt: 'everywhere, unloved' }, 1)
  await approve({ inputPrompt: 'everywhere, good' })
  await approve({ inputPrompt: 'gay', categories: ['gay'] })
  await approve({ inputPrompt: 'romantic', categories: ['romantic'] })
  const promptsOf = async (categories: string[]) =>
    (await promptExamples(db, categories)).map(({ inputPrompt }) => inputPrompt)
  expect(await promptsOf(['gay'])).toEqual(['gay', 'everywhere', 'everywhere, good'])
  expect(await promptsOf([])).toEqual(['everywhere', 'everywhere, good', 'everywhere, unloved'])
})

test('visitors and members can neither read nor change examples', async () => {
  const { id } = await add()
  for (const who of [browser(app), await memberBrowser(app, 'ana@example.com')]) {
    for (const [at, call] of [
      [path, {}],
      [path, { json: draft }],
      [`${path}/${id}`, { method: 'PATCH', json: { isApproved: true } }],
      [`${path}/${id}`, { method: 'DELETE' }],
    ] as const) {
      const response = await who.call(at, call)
      expect(response.status).toBe(401)
      expect(await response.text()).not.toContain('strangers')
    }
  }
  expect(await operator.json(path)).toMatchObject([{ id, isApproved: false }])
})
