import { expect, test } from 'bun:test'
import { Elysia } from 'elysia'
import * as t from 'typebox'
import { hiddenWordCharactersMax } from '#src/member/rules'
import { browser, memberBrowser, operatorBrowser, publishTestItem, testApp } from '#src/testing/app'
import { normalizeText } from '#src/text/normalize'
import { feedbackTagCharactersMax } from '#src/vote/rules'
import { mount } from './mount'

const { app, services } = await testApp()
const member = await memberBrowser(app, 'ana@example.com')
const operator = await operatorBrowser(app)

/** NFC writes this letter as two, so a text of the maximum length is stored at twice that length. */
const growing = '\u0958'

test('a text that grew when it was stored is answered, to its writer and to the studio', async () => {
  const { id } = await publishTestItem(services)
  const tag = growing.repeat(feedbackTagCharactersMax)
  const given = await member.call(`/api/stories/${id}/feedback`, { json: { rating: 5, tags: [tag] } })
  expect(given.status).toBe(200)
  expect(await given.json()).toMatchObject({ rating: 5, tags: [normalizeText(tag, 'NFC')] })
  for (const path of ['/api/feedback', `/api/stories/${id}/feedback`]) {
    const listed = await operator.call(path)
    expect(listed.status).toBe(200)
    expect(await listed.text()).toContain(normalizeText(tag, 'NFC'))
  }
})

test('settings with such a word are saved and read', async () => {
  const word = growing.repeat(hiddenWordCharactersMax)
  const saved = await member.call('/api/user/settings', { method: 'PATCH', json: { hiddenWords: [word] } })
  expect(saved.status).toBe(200)
  expect((await member.json('/api/user/settings')).hiddenWords).toEqual([normalizeText(word, 'NFC')])
})

test('what is sent is measured as the document says', async () => {
  const word = 'a'.repeat(hiddenWordCharactersMax + 1)
  const json = { hiddenWords: [word] }
  const refused = await member.call('/api/user/settings', { method: 'PATCH', json })
  expect(refused.status).toBe(422)
  const document = await browser(app).json('/api/openapi.json')
  const { hiddenWords } = document.components.schemas.Settings.properties
  expect(hiddenWords.items.maxLength).toBe(hiddenWordCharactersMax)
})

test.each([
  ['a tuple', t.Tuple([t.String(), t.String()])],
  ['an intersection', t.Intersect([t.Object({ a: t.String() }), t.Object({ b: t.String() })])],
  ['further properties', t.Object({}, { additionalProperties: t.String({ maxLength: 3 }) })],
])('no answer has %s: its limits would not be taken off, and it is refused at the start', (_, shape) => {
  const noun = new Elysia().get('/odd', () => ({ within: [] }), {
    response: t.Object({ within: t.Array(shape) }),
  })
  expect(() => mount(new Elysia(), noun)).toThrow('mount.ts')
})
