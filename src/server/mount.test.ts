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

test('a tag that NFC normalisation lengthens past its limit is saved and returned', async () => {
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

test('a hidden word that NFC normalisation lengthens past its limit is saved and returned', async () => {
  const word = growing.repeat(hiddenWordCharactersMax)
  const saved = await member.call('/api/user/settings', { method: 'PATCH', json: { hiddenWords: [word] } })
  expect(saved.status).toBe(200)
  expect((await member.json('/api/user/settings')).hiddenWords).toEqual([normalizeText(word, 'NFC')])
})

test('request bodies are checked against the documented length limits', async () => {
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
])('mount() rejects a response schema with %s, whose limits it cannot remove', (_, shape) => {
  const noun = new Elysia().get('/odd', () => ({ within: [] }), {
    response: t.Object({ within: t.Array(shape) }),
  })
  expect(() => mount(new Elysia(), noun)).toThrow('mount.ts')
})
