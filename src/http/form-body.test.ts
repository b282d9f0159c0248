import { expect, test } from 'bun:test'
import { fc } from '#src/testing/properties'
import { rejectionOf } from '#src/testing/rejection'
import { parseFormBody } from './form-body'

const pause = async () => {}
const parse = (text: string) => parseFormBody(Buffer.from(text), pause)
const piece = fc.oneof(
  fc.constantFrom(
    '&',
    '=',
    '+',
    '%',
    '%2',
    '%4',
    '%41',
    '%c3%A9',
    '%E2',
    '%82',
    '%00',
    '%zz',
    'é',
    '🌙',
    '\uFEFF',
    'a',
  ),
  fc.string({ unit: 'grapheme', maxLength: 3 }),
)

test('a form is parsed as URLSearchParams parses it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 30 }), async (pieces) => {
      // A URL's query may begin with a question mark, and so may the first name in a form.
      const text = `a${pieces.join('')}`
      const expected: Record<string, string | string[]> = {}
      const params = new URLSearchParams(text)
      for (const name of new Set(params.keys())) {
        const values = params.getAll(name)
        Object.defineProperty(expected, name, {
          value: values.length > 1 ? values : values[0],
          enumerable: true,
          configurable: true,
          writable: true,
        })
      }
      expect(await parse(text)).toEqual(expected)
    }),
    { numRuns: 2_000 },
  )
})

test('a repeated field is a list, and a field without a value is empty', async () => {
  expect(await parse('day=1&day=2&day=3&title=&&note')).toEqual({ day: ['1', '2', '3'], title: '', note: '' })
})

test('parsing a long escaped field yields to other work', async () => {
  let pauses = 0
  const counted = async () => {
    pauses += 1
  }
  const { text } = await parseFormBody(Buffer.from(`text=${'%C3%A9'.repeat(500_000)}`), counted)
  expect(text).toBe('é'.repeat(500_000))
  expect(pauses).toBeGreaterThan(20)
})

test('a form of more than 1,000 fields is rejected', async () => {
  expect((await rejectionOf(parse('a=1&'.repeat(1_001)))).message).toContain(
    'This form has more than 1000 fields. Send fewer at once.',
  )
})
