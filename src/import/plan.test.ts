import { expect, test } from 'bun:test'
import { type Guideline, makeGuidelines } from '#src/guideline/judge'
import { testRule } from '#src/guideline/testing'
import { decodeRow } from '#src/import/rows/decode-row'
import { recordOf } from '#src/shape/pick'
import { yesNoFields } from '#src/story/fields'
import { decodeBy } from './decode-rows'
import { type ExistingItem, itemKey } from './existing-item'
import { readAudioName } from './match-audio'
import { type CheckedAudio, planImport } from './plan'

const plan = async (
  cells: Record<string, unknown>[],
  existing: ExistingItem[] = [],
  audio: CheckedAudio[] = [],
  rules: Guideline[] = [],
) =>
  planImport(
    (
      await decodeBy(
        makeGuidelines(rules),
        cells.map((each, at) => ({ row: at + 1, cells: each })),
        'Ada',
      )
    ).decoded,
    Map.groupBy(existing, ({ type, title }) => itemKey(type, title)),
    audio,
  )
const file = (fileName: string, hash = fileName): CheckedAudio => ({
  fileName,
  hash,
  extension: 'mp3',
  durationSeconds: 60,
  sizeBytes: 1_000,
})
const lamp: ExistingItem = {
  ...decodeRow({ row: 1, cells: { title: 'The Lamp', excerpt: 'She lit it.', content: 'She lit it.' } }).item,
  ...recordOf(yesNoFields, () => false),
  id: '1',
  titleKey: 'the lamp',
  duration: 15,
  status: 'published',
  heldFrom: null,
  publishedAt: new Date('2026-01-01'),
  audio: {},
}

test('a field that a row leaves out gets its default', async () => {
  const { rows } = await plan([{ content: 'She lit it.' }])
  expect(rows[0]?.item).toMatchObject({
    title: 'Untitled',
    type: 'story',
    categories: ['romantic'],
    voice: 'female',
    generateAudio: true,
  })
})

test('each problem names its row, field and fix', async () => {
  const { problems, counts } = await plan([
    {
      title: 'A',
      content: '',
      categories: 'vampires, romantic',
      voice: 'loud',
      type: 'poem',
      duration: '-3',
    },
    { title: 'x'.repeat(201), content: 'text' },
  ])
  expect(counts).toMatchObject({ create: 0, problem: 2 })
  expect(problems.map(({ row, field, message }) => `${row} ${field}: ${message}`).sort()).toEqual([
    '1 categories: "vampires" is not a category. Use man and woman, lesbian, gay, romantic, bdsm, one night stand, roleplay.',
    '1 content: There is no text. Write the story, or leave the row out.',
    '1 duration: "-3" is not a length in minutes. Write a number from 1 to 600.',
    '1 type: "poem" is not a type. Write story or flow.',
    '1 voice: "loud" is not a voice. Write female, male, or a narrator\'s name such as rachel.',
    '2 title: 201 characters; at most 200 are allowed. Shorten it.',
  ])
})

test('empty rows are left out without a problem', async () => {
  expect(await plan([{ title: ' ', content: '' }, {}])).toMatchObject({
    counts: { empty: 2, problem: 0 },
    problems: [],
  })
})

test('a repeated title is a problem with another text, and one item with the same text', async () => {
  const { counts, problems } = await plan([
    { title: 'The Lamp', content: 'One.' },
    { title: 'the lamp!', content: 'Two.' },
    { title: 'THE LAMP', content: 'One.' },
  ])
  expect(counts).toMatchObject({ create: 1, problem: 1, same: 1 })
  expect(problems[0]?.message).toContain('row 1')
})

test('a story and a flow with the same title are two items', async () => {
  expect(
    (
      await plan([
        { title: 'Tide', content: 'a' },
        { title: 'Tide', content: 'b', type: 'Flow' },
      ])
    ).counts.create,
  ).toBe(2)
})

test('a row for an existing item changes only the fields that it contains', async () => {
  const { rows } = await plan(
    [{ title: 'the lamp', content: 'She lit it.', description: 'New.' }],
    [{ ...lamp, title: 'The Lamp' }],
  )
  expect(rows[0]).toMatchObject({ verdict: 'update', existingId: '1' })
  expect(rows[0]?.changes.map(({ field }) => field).sort()).toEqual(['description', 'title'])
})

test('a row equal to the existing item changes nothing', async () => {
  expect((await plan([{ title: 'The Lamp', content: 'She lit it.' }], [lamp])).counts.same).toBe(1)
})

test('audio is matched by normalised title and voice, and unmatched files are reported', async () => {
  const { rows, unmatchedAudio } = await plan(
    [{ title: "The Cabby's Seat", content: 'a', voice: 'male' }],
    [],
    [file('the-cabbys-seat.mp3'), file("folder/The Cabby's Seat_FEMALE.MP3"), file('moon.mp3')],
  )
  expect(rows[0]?.audio.map(({ voice, file }) => `${voice} ${file.fileName}`).sort()).toEqual([
    "female folder/The Cabby's Seat_FEMALE.MP3",
    'male the-cabbys-seat.mp3',
  ])
  expect(unmatchedAudio).toEqual(['moon.mp3'])
})

test('a row may name its audio file', async () => {
  const { rows } = await plan(
    [{ title: 'Tide', content: 'a', linkedAudioMale: 'take 7.mp3' }],
    [],
    [file('take 7.mp3')],
  )
  expect(rows[0]?.audio[0]).toMatchObject({ voice: 'male', file: { fileName: 'take 7.mp3' } })
})

test('the same audio again changes nothing, and another one is an update', async () => {
  const narrated = { ...lamp, audio: { female: 'hash' } }
  const row = { title: 'The Lamp', content: 'She lit it.' }
  expect((await plan([row], [narrated], [file('the lamp.mp3', 'hash')])).counts.same).toBe(1)
  expect((await plan([row], [narrated], [file('the lamp.mp3', 'other')])).counts.update).toBe(1)
})

test('readAudioName splits a file name into title and voice', () => {
  expect(readAudioName('The Gift_female.mp3')).toEqual({ key: 'the gift', voice: 'female' })
  expect(readAudioName('a\\b\\the-gift.mp3')).toEqual({ key: 'the gift', voice: null })
  expect(readAudioName('Female.mp3')).toEqual({ key: 'female', voice: null })
})

test('only a row that writes a text that a guideline holds is planned as held', async () => {
  const cells = [
    { title: 'The Lamp', content: 'She lit it.' },
    { title: 'The Lantern', content: 'She lit it.', duration: 20 },
    { title: 'The Candle', content: 'She lit it again.' },
    { title: 'The Match', content: 'She lit it.' },
    { title: 'The Spark', content: '' },
    { content: '' },
  ]
  const existing = ['The Lamp', 'The Lantern', 'The Candle'].map((title) => ({
    ...lamp,
    id: title,
    title,
    titleKey: title.toLowerCase(),
  }))
  const { rows } = await plan(cells, existing, [], [testRule(['lit', 'spark'], { severity: 'high' })])
  expect(rows.map(({ verdict, admitted }) => [verdict, admitted.isHeld, admitted.decisions.length])).toEqual([
    ['same', false, 0],
    ['update', false, 0],
    ['update', true, 1],
    ['create', true, 1],
    ['problem', false, 0],
    ['empty', false, 0],
  ])
})
