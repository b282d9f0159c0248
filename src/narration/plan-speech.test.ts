import { describe, expect, test } from 'bun:test'
import { enhanceText } from '#src/script/enhance'
import { sentencesOf } from '#src/script/format/changed-sentences'
import { parseScript } from '#src/script/format/parse-script'
import type { ItemType } from '#src/story/rules'
import { countTurns } from '#src/testing/count-turns'
import { planSpeech, spokenCharacters } from './plan-speech'

function planOf(source: string, type: ItemType = 'story') {
  const { script } = parseScript(source)
  if (!script) throw new Error('This is no script.')
  return planSpeech(script, type)
}
const shape = async (source: string, type: ItemType = 'story') =>
  (await planOf(source, type)).pieces.map((piece) =>
    'parts' in piece ? piece.parts.map(({ text }) => text).join('|') : piece.pauseSeconds,
  )

describe('planSpeech', () => {
  test('pauses between sentences, longer between paragraphs, longest between scenes', async () => {
    expect(await shape('One. Two.\n\nThree.\n\n***\n\nFour.')).toEqual([
      0.3,
      'One.',
      0.38,
      'Two.',
      0.8,
      'Three.',
      1.6,
      'Four.',
      0.8,
    ])
  })

  test('leaves longer pauses between the paragraphs of a flow', async () => {
    expect(await shape('Breathe in.\n\nBreathe out.', 'flow')).toEqual([
      0.3,
      'Breathe in.',
      1.8,
      'Breathe out.',
      0.8,
    ])
  })

  test('uses the script’s own pauses instead of those of punctuation', async () => {
    expect(
      await shape('One.[pause 2.5s] Two.[pause 1s]\n\n[pause 1s]Three. Four.\n\n***[pause 4s]\n\nFive.'),
    ).toEqual([0.3, 'One.', 2.5, 'Two.', 2, 'Three.', 0.38, 'Four.', 4, 'Five.', 0.8])
    expect(await shape('[pause 1s]One.[pause 0.1s] Two.[pause 3s]')).toEqual([1.3, 'One.', 0.1, 'Two.', 3.8])
  })

  test('splits a sentence at its pauses and speaks each part in its style', async () => {
    const plan = await planOf(
      'She said …[pause 0.5s] [whisper]“come in,”[/whisper] softly. [slower]Yes.[/slower]',
    )
    expect(
      await shape('She said …[pause 0.5s] [whisper]“come in,”[/whisper] softly. [slower]Yes.[/slower]'),
    ).toEqual([0.3, 'She said …', 0.5, '“come in,”| softly.', 0.38, 'Yes.', 0.8])
    expect(plan.sentences).toEqual([
      { at: 0, length: 29 },
      { at: 30, length: 4 },
    ])
    const styles = plan.pieces.flatMap((piece) =>
      'parts' in piece ? piece.parts.map(({ style }) => style) : [],
    )
    expect(styles.map(({ whisper, slower }) => [whisper, slower])).toEqual([
      [false, false],
      [true, false],
      [false, false],
      [false, true],
    ])
  })

  test('keeps the text and place of every phrase and loses no word', async () => {
    const source =
      '  “Mr. Lind,” [softer]she said, “it is[/softer] late.”\n\n# [emphasis]Two[/emphasis]\n\nThe *end* — really.'
    const { script } = parseScript(source)
    const text = source.replace(/\[[^\]]+\]/g, '')
    const { pieces } = await planSpeech(script ?? [], 'story')
    const utterances = pieces.flatMap((piece) => ('parts' in piece ? piece.parts : []))
    for (const part of utterances) expect(text.slice(part.at, part.at + part.text.length)).toBe(part.text)
    const words = (of: string) => of.match(/[\p{L}]+/gu)
    expect(words(utterances.map((part) => part.text).join(' '))).toEqual(words(text))
  })

  test('adds no unwritten silence longer than three seconds', async () => {
    const shown = await shape('\n\n***\n\n---\n\nOne.\n\n\n\n***\n\n***\n\nTwo.\n\n***', 'flow')
    expect(shown.filter((each) => typeof each === 'number')).toEqual([0.3, 2.5, 0.8])
  })

  test('returns nothing to say for a text without words', async () => {
    expect((await planOf('… *** … 🙂')).pieces).toEqual([])
    expect((await planOf('')).sentences).toEqual([])
  })

  test('counts the characters that a provider charges', async () => {
    expect(spokenCharacters(await planOf('One. [pause 3s][whisper]Two.[/whisper]'))).toBe(8)
  })

  test('plans a script of 40,000 sentences', async () => {
    const plan = await planOf(
      '[slower]The boat left.[/slower] She *smiled* …[pause 0.5s] and waved. '.repeat(20_000),
    )
    expect(plan.sentences).toHaveLength(40_000)
  })

  test('enhances, plans and splits a whole book without blocking other work', async () => {
    const book = '“It is late,” she murmured, and the lamp went out … The boat left at ten.\n\n'.repeat(8_000)
    const works = {
      enhanceText: () => enhanceText(book, 'story'),
      planSpeech: () => planOf(book),
      sentencesOf: () => sentencesOf(book),
    }
    for (const [name, work] of Object.entries(works))
      expect([name, (await countTurns(work)) > 3]).toEqual([name, true])
  })
})
