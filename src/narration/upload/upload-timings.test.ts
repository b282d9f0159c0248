import { describe, expect, test } from 'bun:test'
import { toneMp3 } from '#src/narration/testing'
import { alignWords } from '#src/narration/timing/align-words'
import { readHeardWords } from '#src/narration/timing/read-heard-words'
import { unpackTimings } from '#src/narration/timing/timing-rules'
import { browser, memberBrowser, operatorBrowser, publishTestItem, testApp } from '#src/testing/app'
import { countTurns } from '#src/testing/count-turns'
import { fc } from '#src/testing/properties'

const text = 'The last boat left at ten. “You’re not cold,” she said.\n\nNobody minded the rain.'
const vtt = `WEBVTT

NOTE made by ear

1
00:00.300 --> 00:02.100 align:start
<v Narrator>The last boat left at ten.

00:02.500 --> 00:05.000
You're not <i>cold</i>, she said

00:00:06.000 --> 00:00:08.000
Nobody mindet the rain!`
const srt = vtt.replace('WEBVTT\n\nNOTE made by ear\n\n', '').replace(/\.(\d{3})/g, ',$1')
const recognised = JSON.stringify({
  segments: [
    { start: 0.3, end: 2.1, text: ' The last boat left at ten.' },
    {
      start: 2.5,
      end: 5,
      text: " You're not cold, she said.",
      words: [
        { word: " You're", start: 2.5, end: 2.9 },
        { word: ' not', start: 3, end: 3.2 },
        { word: ' cold,', start: 3.3, end: 3.9 },
        { word: ' she', start: 4.2, end: 4.4 },
        { word: ' said.', start: 4.5, end: 5 },
      ],
    },
    { start: 6, end: 8, text: 'Nobody minded the rain.' },
  ],
})

describe('alignment of heard words', () => {
  test('finds words and sentences from WebVTT, SubRip and JSON', async () => {
    for (const file of [vtt, srt, recognised]) {
      const { timings, total, matched } = await alignWords(text, await readHeardWords(file))
      expect(total).toBe(15)
      expect(matched).toBeGreaterThanOrEqual(14)
      expect(timings.sentences.map(({ startSeconds, endSeconds }) => [startSeconds, endSeconds])).toEqual([
        [0.3, 2.1],
        [2.5, 5],
        [6, 8],
      ])
      expect(timings.sentences.map(({ at, length }) => text.slice(at, at + length))).toEqual([
        'The last boat left at ten.',
        '“You’re not cold,” she said.',
        'Nobody minded the rain.',
      ])
    }
    const { words } = (await alignWords(text, await readHeardWords(recognised))).timings
    const cold = words.find(({ at }) => text.startsWith('cold', at))
    expect(cold).toMatchObject({ startSeconds: 3.3, endSeconds: 3.9, isExact: true })
    expect(words.find(({ at }) => text.startsWith('boat', at))?.isExact).toBe(false)
  })

  test('limits the effect of added, omitted and misheard words to their surroundings', async () => {
    const words = Array.from({ length: 400 }, (_, at) => `word${at}`)
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(395), { maxLength: 12 }), fc.nat(2), async (places, kind) => {
        const heard = words.flatMap((word, at) => {
          const own = { text: word, startSeconds: at, endSeconds: at + 0.8, isExact: true }
          if (!places.includes(at)) return [own]
          return kind === 0 ? [] : kind === 1 ? [{ ...own, text: 'mumble' }] : [own, { ...own, text: 'well' }]
        })
        const { timings, matched } = await alignWords(words.join(' '), heard)
        // A word that stands alone between two disturbances is not matched either.
        expect(matched).toBeGreaterThanOrEqual(400 - 2 * new Set(places).size)
        for (const [at, word] of timings.words.entries()) {
          if (word.isExact) expect(word.startSeconds).toBe(at)
          else expect(Math.abs(word.startSeconds - at)).toBeLessThan(13)
        }
      }),
    )
  })

  test('of a long book does not block other requests, even with another book’s words', async () => {
    const book = 'The last boat left at ten and nobody minded the rain. '.repeat(9_000)
    const said = book.trim().split(' ')
    const lines = (words: readonly string[]) =>
      JSON.stringify({ words: words.map((word, at) => ({ word, start: at, end: at + 0.8 })) })
    for (const [words, matched] of [
      [said, said.length],
      [said.map((_, at) => `x${at}`), 0],
    ] as const) {
      const file = lines(words)
      const reading = await countTurns(() => readHeardWords(file))
      const heard = await readHeardWords(file)
      const aligning = await countTurns(async () =>
        expect((await alignWords(book, heard)).matched).toBe(matched),
      )
      expect([reading > 3, aligning > 3]).toEqual([true, true])
    }
  })
})

describe('uploading timings', async () => {
  const { app, services } = await testApp()
  const operator = await operatorBrowser(app)
  const mara = await memberBrowser(app, 'mara@example.com')
  const { id } = await publishTestItem(services, { title: 'Uploaded', content: text })
  const path = `/api/premium-audio/${id}/female/timings`
  const put = (file: string) => operator.call(path, { method: 'PUT', json: { file } })

  test('is limited to operators and to existing narrations', async () => {
    for (const each of [browser(app), mara])
      expect((await each.call(path, { method: 'PUT', json: { file: vtt } })).status).toBe(401)
    expect((await put(vtt)).status).toBe(404)
    const form = new FormData()
    form.set('audioFile', new File([await toneMp3(9)], 'uploaded.mp3'))
    await operator.call(`/api/premium-content/${id}/upload-audio`, { body: form })
    expect(await mara.json(path)).toMatchObject({ timings: null })
    const response = await put(vtt)
    expect([response.status, await response.json()]).toEqual([200, { sentences: 3, words: 15, matched: 14 }])
    const { timings } = await mara.json(path)
    expect(timings).toMatchObject({ source: 'file', isOfThisText: true })
    expect(unpackTimings(timings).sentences).toHaveLength(3)
  })

  test('rejects unreadable files and timings of another text or recording, saying why', async () => {
    for (const [file, message] of [
      ['', 'No timings were found in this file'],
      ['hello', 'No timings were found in this file'],
      ['{"a": 1', 'This file cannot be read as JSON'],
      ['[{"begin": 1}]', 'This JSON has other fields'],
      ['00:01.000 --> 00:02.000\nSomething else entirely', 'Only 0 of the 15 words'],
      [vtt.replaceAll('00:0', '00:3'), 'The timings last'],
    ] as const) {
      const response = await put(file)
      expect(response.status).toBe(422)
      expect((await response.json()).message).toStartWith(message)
    }
    expect((await mara.json(path)).timings).not.toBeNull()
  })
})
