import { describe, expect, test } from 'bun:test'
import { spokenText } from '#src/narration/spoken-text'
import { fc } from '#src/testing/properties'
import { timeWords, wordsOf } from './split-words'
import { entryAt, packTimings, type Timings, unpackTimings } from './timing-rules'

const milliseconds = fc.integer({ min: 0, max: 40_000_000 })

/** Valid timings in the order of the text: none begins before the previous one. */
const anyTimings: fc.Arbitrary<Timings> = fc
  .array(fc.tuple(fc.nat(30), fc.nat(40), fc.nat(5_000), fc.nat(3_000), fc.boolean()), { maxLength: 50 })
  .map((steps) => {
    let place = 0
    let time = 0
    const words = steps.map(([skipped, length, rest, duration, isExact]) => {
      const at = place + skipped
      const start = time + rest
      place = at + length
      time = start + duration
      return { at, length, startSeconds: start / 1_000, endSeconds: time / 1_000, isExact }
    })
    return { words, sentences: words.map(({ isExact: _, ...each }) => each) }
  })

describe('timings', () => {
  test('are the same after packing and unpacking, to the millisecond', () => {
    fc.assert(
      fc.property(anyTimings, (timings) => expect(unpackTimings(packTimings(timings))).toEqual(timings)),
    )
  })

  test('of 5,000 words take less than 100 KB', () => {
    const words = Array.from({ length: 5_000 }, (_, at) => ({
      at: at * 6,
      length: 5,
      startSeconds: at * 0.4,
      endSeconds: at * 0.4 + 0.35,
      isExact: true,
    }))
    expect(JSON.stringify(packTimings({ words, sentences: [] })).length).toBeLessThan(100_000)
  })

  test('are looked up by time: the last entry that has begun', () => {
    const { sentences } = unpackTimings({ sentences: [0, 5, 300, 2_000, 1, 5, 500, 2_000], words: [] })
    const at = (seconds: number) => entryAt(sentences, seconds)?.at
    expect([at(0.1), at(0.3), at(1.7), at(1.8), at(99)]).toEqual([undefined, 0, 0, 6, 6])
    fc.assert(
      fc.property(anyTimings, milliseconds, ({ words }, timeMs) => {
        const expected = words.filter(({ startSeconds }) => startSeconds <= timeMs / 1_000).at(-1)
        expect(entryAt(words, timeMs / 1_000)).toEqual(expected ?? null)
      }),
    )
  })
})

describe('words', () => {
  const text = '“You’re *not* cold,” — she said… 12½ ليل 🙂 naïve.'

  test('are found at their places, without punctuation', () => {
    expect(wordsOf(text, 10).map(({ at, length }) => text.slice(at - 10, at - 10 + length))).toEqual([
      'You’re',
      'not',
      'cold',
      'she',
      'said',
      '12½',
      'ليل',
      'naïve',
    ])
  })

  test('are interpolated and marked inexact when no time was reported', () => {
    const words = wordsOf('one two three four', 0)
    const timed = timeWords(words, [0.1, null, null, 2], { startSeconds: 0, endSeconds: 3 })
    expect(timed.map(({ isExact }) => isExact)).toEqual([true, false, false, true])
    expect(timed.map(({ startSeconds }) => Math.round(startSeconds * 100) / 100)).toEqual([0.1, 0.65, 1.2, 2])
    expect(timed.at(-1)?.endSeconds).toBe(3)
  })

  test('never go backwards or beyond their audio, whatever the voice reports', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constant(null), fc.double({ min: -2, max: 12, noNaN: true })), {
          maxLength: 20,
        }),
        (starts) => {
          const words = starts.map((_, at) => ({ at: at * 5, length: 4 }))
          const timed = timeWords(words, starts, { startSeconds: 0, endSeconds: 10 })
          let last = 0
          for (const { startSeconds, endSeconds } of timed) {
            expect(startSeconds).toBeGreaterThanOrEqual(last)
            expect(endSeconds).toBeGreaterThanOrEqual(startSeconds)
            expect(endSeconds).toBeLessThanOrEqual(10)
            last = startSeconds
          }
        },
      ),
    )
  })
})

describe('spokenText', () => {
  test('omits markup and maps each character to its place in the source', () => {
    const source = '## She  was\n_very_ sure: 1 < 2 & 🙂 so.'
    const { text, places } = spokenText(source, 100)
    expect(text).toBe('She was very sure: 1 2 and 🙂 so.')
    expect(places).toHaveLength([...text].length)
    expect(source.slice((places[[...text].indexOf('v')] ?? 0) - 100)).toStartWith('very_')
    expect(source.slice((places.at(-3) ?? 0) - 100)).toBe('so.')
  })

  test('maps characters to places that never decrease', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (source) => {
        const { text, places } = spokenText(source, 7)
        expect(places).toHaveLength([...text].length)
        expect(places.every((place, at) => at === 0 || place >= (places[at - 1] ?? 0))).toBe(true)
      }),
    )
  })
})
