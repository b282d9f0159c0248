import { expect, test } from 'bun:test'
import * as t from 'typebox'
import { rejectionOf } from '#src/testing/rejection'
import { oneOf } from './one-of'
import { requireShape } from './validate'

const nullable = <T extends t.TSchema>(schema: T) => t.Optional(t.Union([schema, t.Null()]))
const Changes = t.Object(
  {
    limit: nullable(t.Integer({ minimum: 0, maximum: 1_000 })),
    isOpen: nullable(t.Boolean()),
    theme: nullable(oneOf(['night', 'paper'])),
    tags: nullable(t.Array(t.String(), { minItems: 1, maxItems: 2 })),
    when: t.Optional(t.Union([t.String(), t.Number()])),
    ratio: t.Optional(t.Number({ minimum: 1 })),
    title: t.Optional(t.String({ minLength: 1, pattern: '\\S' })),
  },
  { minProperties: 1 },
)

const refusal = async (value: unknown) => {
  const error = await rejectionOf((async () => requireShape(Changes, value))())
  return error instanceof Error ? error.message : ''
}

test('the error for a union describes the type that the value was meant as', async () => {
  const cases: [unknown, string][] = [
    [{ limit: -1 }, 'Limit must be a whole number from 0 to 1000.'],
    [{ limit: 1.5 }, 'Limit must be a whole number from 0 to 1000.'],
    [{ limit: 'many' }, 'Limit must be a whole number or null, not text.'],
    [{ isOpen: 'yes' }, 'Is open must be true or false or null, not text.'],
    [{ theme: 'day' }, 'Theme must be one of: night, paper.'],
    [{ theme: 5 }, 'Theme must be text or null, not a number.'],
    [{ tags: [] }, 'Tags must be a list with 1 to 2 entries.'],
    [{ tags: ['a', 2] }, 'Tags must be text, not a number.'],
    [{ when: {} }, 'When must be text or a number, not an object.'],
    [{ ratio: 0 }, 'Ratio must be a number of at least 1.'],
  ]
  for (const [value, sentence] of cases) expect([value, await refusal(value)]).toEqual([value, sentence])
})

test('a blank text and an object without changes are rejected with what they need', async () => {
  expect(await refusal({ title: '   ' })).toBe('Title must not be empty.')
  expect(await refusal({})).toBe('Give at least one of: limit, isOpen, theme, tags, when, ratio, title.')
})
