import { expect, test } from 'bun:test'
import { auditActions, parseAction, sentenceAround, sentenceOf } from './rules'

test('every action has a distinct sentence without a full stop', () => {
  const sentences = auditActions.map((each) => sentenceOf({ ...parseAction(each), name: null }))
  expect(new Set(sentences).size).toBe(sentences.length)
  for (const sentence of sentences) expect(sentence).toMatch(/^[a-z][^{}]*[^.]$/)
})

test('a subject without a name is described by its kind, mentioned once', () => {
  const sentences = auditActions.map((each) => sentenceOf({ ...parseAction(each), name: null }))
  for (const expected of ['created a challenge', 'added a guideline', 'imported a sheet', 'changed a switch'])
    expect(sentences).toContain(expected)
  // Finds a word of four letters or more that is repeated right after an article.
  expect(sentences.filter((each) => /(\w{4,})\w* (?:of )?an? (?:\w+ )?\1/.test(each))).toEqual([])
  expect(sentenceOf({ ...parseAction('challenge.create'), name: 'Two Nights' })).toBe(
    'created the challenge Two Nights',
  )
})

test('sentences say “report” only for reports and “switch” only for feature flags', () => {
  const wordsOf = (subject: string) =>
    auditActions
      .filter((each) => each.startsWith(`${subject}.`))
      .map((each) => sentenceAround(parseAction(each))[0])
  expect(wordsOf('report').every((words) => words.includes('report') && !words.includes('switch'))).toBe(true)
  expect(
    wordsOf('feature flag').every((words) => words.includes('switch') && !words.includes('report')),
  ).toBe(true)
})

test('an unknown action is shown as its raw action and subject', () => {
  expect(sentenceOf({ subjectType: 'shelf', action: 'dust', name: null })).toBe('dust shelf')
  expect(sentenceOf({ subjectType: 'constructor', action: 'name', name: null })).toBe('name constructor')
})
