import { expect, test } from 'bun:test'
import { pluralize } from './pluralize'

test('pluralize keeps the singular for one, and separates thousands with commas', () => {
  expect([0, 1, 2, 1_200].map((count) => pluralize(count, 'view'))).toEqual([
    '0 views',
    '1 view',
    '2 views',
    '1,200 views',
  ])
  expect(pluralize(2, 'free story')).toBe('2 free stories')
  expect(pluralize(2, 'day')).toBe('2 days')
  expect(pluralize(1, 'person', 'people')).toBe('1 person')
  expect(pluralize(2, 'person', 'people')).toBe('2 people')
})

/** Texts that are specified to the letter, whatever the count. */
const toTheLetter = /Loaded \$\{items.length\} items for review|\$\{count\} stories uploaded with premium/

/** Matches a choice between a noun and its plural, and a count before a written-out plural. */
const byHand = [
  /=== 1 \? '(\w+)' : '\1e?s'/,
  /=== 1 \? '(\w+)y' : '\1ies'/,
  /\$\{[^{}?]*\b(?:count|views|total|length|[a-z]+Count)\} (?:views|items|stories|flows|rows|lines|members|words|characters|files|reports|times)\b/,
]

test('no source file builds a plural by hand', async () => {
  const found: string[] = []
  for await (const path of new Bun.Glob('{src,islands,cli}/**/*.{ts,tsx}').scan()) {
    if (/\.test\.tsx?$/.test(path) || path.endsWith('text/pluralize.ts')) continue
    for (const line of (await Bun.file(path).text()).split('\n'))
      if (
        !line.includes("=== 1 ? 'The") &&
        !toTheLetter.test(line) &&
        byHand.some((pattern) => pattern.test(line))
      )
        found.push(`${path}: ${line.trim()}`)
  }
  expect(found).toEqual([])
})
