import { expect, test } from 'bun:test'
import { itemFieldNames, itemFields } from '#src/story/fields'
import { fieldSentence, labelOf } from './invalid-field'

test('a field error uses the form’s label and says what the field takes', () => {
  const cases: [string, string, string][] = [
    ['duration', 'Expected whole minutes from 1 to 60', 'Duration must be whole minutes from 1 to 60.'],
    ['title', 'Required', 'Title must be given.'],
    ['stories[2].title', 'Required', 'Row 3, Title must be given.'],
    ['categories[1]', 'Expected one of: romantic, bdsm', 'Categories must be one of: romantic, bdsm.'],
    ['stories', 'Expected array, received object', 'Stories must be a list, not an object.'],
    [
      'runpodMaxTokens',
      'Expected a whole number from 1 to 2',
      'Max tokens must be a whole number from 1 to 2.',
    ],
    ['keys.p256dh', 'This is no public key.', 'P256dh: This is no public key.'],
    ['', 'Expected object, received array', 'Expected object, received array.'],
  ]
  for (const [path, message, sentence] of cases) expect(fieldSentence({ path, message })).toBe(sentence)
  expect(fieldSentence({ path: 'newPassword', message: 'String must contain at least 6 character(s)' })).toBe(
    'New password: String must contain at least 6 character(s).',
  )
})

test('an item’s fields have the same labels in errors as in its form', () => {
  for (const field of itemFieldNames)
    expect([field, labelOf(field)]).toEqual([field, itemFields[field].label.replace(/ \(.*\)$/, '')])
})

/** Names that several forms label in their own words, for example as a question. */
const ownWords = [
  'category',
  'content',
  'q',
  'voice',
  'comments',
  'email',
  'flagReason',
  'flagType',
  'name',
  'password',
  'rows',
  'text',
]

test('the fields of all other forms have the same labels in errors', async () => {
  const odd: string[] = []
  for await (const path of new Bun.Glob('{src,islands}/**/*.tsx').scan()) {
    const source = await Bun.file(path).text()
    for (const [, attributes = ''] of source.matchAll(/<(?:Field|TextArea|Select)\b([^<>]*)/g)) {
      const [, name] = attributes.match(/\bname="(\w+)"/) ?? []
      const [, label] = attributes.match(/\blabel="([^"]+)"/) ?? []
      if (!name || !label || ownWords.includes(name)) continue
      if (!label.startsWith(labelOf(name))) odd.push(`${path}: ${name} is “${label}”, not “${labelOf(name)}”`)
    }
  }
  expect(odd).toEqual([])
})
