import { describe, expect, test } from 'bun:test'
import { AppError } from '#src/app-error'
import { jsonDepthMax, parseJsonBody } from '#src/http/json-body'
import { fc } from '#src/testing/properties'

const bytes = (text: string) => new TextEncoder().encode(text)
const parse = (text: string, membersMax?: number) => parseJsonBody(bytes(text), membersMax)

async function codeOf(text: string, membersMax?: number): Promise<string> {
  const error = await parse(text, membersMax).catch((thrown) => thrown)
  if (!(error instanceof AppError)) throw new Error(`This was read: ${text.slice(0, 100)}`)
  expect(error.message.length).toBeLessThan(100)
  return error.code
}

describe('small JSON bodies', () => {
  test('are parsed as JSON.parse parses them', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 6 }), async (value) => {
        const text = JSON.stringify(value)
        expect(await parse(text)).toEqual(JSON.parse(text))
      }),
    )
  })

  test('may begin with a byte order mark', async () => {
    expect(await parse('\ufeff{"a":1}')).toEqual({ a: 1 })
  })

  test.each(['', ' ', '{', '[1,]', '{"a":1,}', '{"a":1}}', '"', 'undefined', '\0', '1 2', '[1}'])(
    'are rejected as unreadable: %j',
    async (text) => expect(await codeOf(text)).toBe('unreadable'),
  )
})

describe('JSON limits', () => {
  test('allow 32 levels of nesting and reject one more, closed or not', async () => {
    const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
    expect(await parse(nested(jsonDepthMax))).toBeArray()
    expect(await codeOf(nested(jsonDepthMax + 1))).toBe('invalid')
    expect(await codeOf('['.repeat(32_000))).toBe('invalid')
    expect(await codeOf('{"a":'.repeat(32_000))).toBe('invalid')
  })

  test('count values, but not brackets and commas in strings', async () => {
    expect(await codeOf(`[${'1,'.repeat(100)}1]`, 100)).toBe('too_large')
    expect(await codeOf(`[${'[],'.repeat(60)}1]`, 100)).toBe('too_large')
    expect(await parse(JSON.stringify({ a: ',[{"\\'.repeat(1_000) }), 100).then(Object)).toHaveProperty('a')
  })
})

describe('large JSON bodies, parsed in chunks', () => {
  const long = fc
    .tuple(
      fc.constantFrom('a', 'é', '🌙', '\n', '"', '\\', '\\u00e9', '\ud83d', '\u2028', ',[]{}:"'),
      fc.integer({ min: 0, max: 400_000 }),
    )
    .map(([unit, times]) => unit.repeat(times))
  const value = fc.oneof(
    { weight: 2, arbitrary: long },
    { weight: 3, arbitrary: fc.array(fc.jsonValue({ maxDepth: 3 }), { maxLength: 300 }) },
    { weight: 1, arbitrary: fc.dictionary(fc.string(), long, { maxKeys: 4 }) },
    { weight: 1, arbitrary: fc.array(fc.dictionary(fc.string(), long, { maxKeys: 3 }), { maxLength: 4 }) },
  )
  const body = fc.oneof(fc.array(value, { maxLength: 8 }), fc.dictionary(fc.string(), value, { maxKeys: 8 }))

  test('are parsed as JSON.parse parses them, in any formatting', async () => {
    await fc.assert(
      fc.asyncProperty(body, fc.constantFrom('', ' ', '\n\t'), fc.boolean(), async (each, space, isAscii) => {
        const written = JSON.stringify(each, null, space)
        const text = isAscii
          ? written.replace(
              /[^\0-\x7f]/g,
              (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
            )
          : written
        expect(await parse(text, 1_000_000)).toEqual(JSON.parse(text))
      }),
      { numRuns: 60 },
    )
  })

  const filling = `"${'a'.repeat(600_000)}"`
  test.each([
    `[${filling},]`,
    `[,${filling}]`,
    `[${filling},,${filling}]`,
    `[${filling}`,
    `${filling}]`,
    `[${filling}}`,
    `{${filling}}`,
    `{"a":${filling},}`,
    `{"a" ${filling}}`,
    `{"a"::${filling}}`,
    `{a:${filling}}`,
    `{"b":1 "a":${filling}}`,
    `[${filling} ${filling}]`,
    filling.slice(0, -1),
    `"${'a'.repeat(600_000)}\n"`,
    `"${'a'.repeat(600_000)}\\"`,
    `"${'a'.repeat(600_000)}\\u00g0"`,
    '9'.repeat(600_000),
    ' '.repeat(600_000),
  ])('are rejected as unreadable when malformed (case %#)', async (text) => {
    expect(() => JSON.parse(text.replace(/^9+$/, '9x'))).toThrow()
    expect(await codeOf(text)).toBe('unreadable')
  })

  test('keep a member named __proto__ as an own property', async () => {
    const parsed = await parse(`{"__proto__":{"x":1},"a":${filling}}`)
    expect(Object.keys(Object(parsed))).toEqual(['__proto__', 'a'])
    expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype)
  })
})
