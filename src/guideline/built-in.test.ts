import { describe, expect, test } from 'bun:test'
import { readDemo } from '#src/demo/seed'
import { builtInRules } from './built-in'
import { judge, makeGuidelines } from './judge'

const guidelines = makeGuidelines([])
const rulesOf = async (content: string) =>
  (await judge(guidelines, { content, categories: [] })).map(({ rule }) => rule.id.replace('built-in:', ''))

/** Plain sentences that name the subject of each rule without describing anything. */
const refused: [string, string][] = [
  ['minors', 'Age play.'],
  ['minors', 'A story about an underage sexual encounter.'],
  ['minors', 'She was sixteen years old and naked.'],
  ['minors', 'A 15-year-old, and porn.'],
  ['minors', 'The schoolgirl seduced him.'],
  ['minors', 'In a school uniform, for something erotic.'],
  ['minors', 'He was a pupil at the school, and she seduced him.'],
  ['minors', 'They were playing school, and it was erotic.'],
  ['minors', 'Two high school students, and sex.'],
  ['minors', 'child porn'],
  ['minors', 'ch1ld p0rn'],
  ['minors', 'c h i l d p o r n'],
  ['minors', 'under-age s e x'],
  ['minors', 'рrеtееn sех'],
  ['minors', 'ageplaaaay and a\u200bge play'],
  ['real-persons', 'Leaked nudes of somebody famous.'],
  ['real-persons', 'A deepfake of her, naked.'],
  ['non-consent', 'A real rape on video.'],
  ['non-consent', 'He drugged her to have sex.'],
  ['trafficking', 'A tale of sex trafficking.'],
  ['animals', 'Bestiality.'],
  ['animals', 'sex with a dog'],
  ['incest', 'Incest.'],
  ['incest', 'She made love to her brother.'],
  ['harm', 'How to make a bomb'],
  ['harm', 'Instructions for a pipe bomb'],
]

/** Sentences from tender and ordinary stories. */
const passed = [
  'Her sister called while they were making love, and her dog barked.',
  'He seduced his sister’s friend, a widow of fifty, over a bottle of wine.',
  'The children were asleep. They tiptoed past the door, and she laughed, and he kissed her in the dark.',
  'They giggled like teenagers, naked under one blanket.',
  'She taught at a primary school, and on Fridays she wore the green dress.',
  'He was forty-two years old and had never been so happy to be naked.',
  'The whisky was sixteen years old, the sofa older.',
  'An eighteen year old wine, and sex in the afternoon.',
  'A ten-year-old scotch, and two people naked before the fire.',
  'Her pupils were wide, and she was naked. The pupil of a lamp is its flame.',
  'She taught the pupils of a night school to dance, grown people all, and in the evening she was herself again: naked, warm, his.',
  'His pupils were wide. A minor chord, then a major one.',
  'The grape harvest, the drapes, a therapist, an analyst, Sussex and Essex.',
  'Against her will she smiled.',
  'She fell asleep on his shoulder, and he did not move for an hour.',
  'They had talked about consent, and about the word that ends it.',
  'He called her his captive, and she laughed and said the word, and they stopped.',
  'How to make bread, and how to make love last.',
  'She slept while he made tea.',
  'Her mother had given her the lingerie as a joke, at sixty.',
]

describe('built-in rules', () => {
  test('are exactly the seven expected ones, each with its own description', () => {
    expect(builtInRules.map(({ id }) => id)).toEqual([
      'built-in:minors',
      'built-in:real-persons',
      'built-in:non-consent',
      'built-in:trafficking',
      'built-in:animals',
      'built-in:incest',
      'built-in:harm',
    ])
    expect(new Set(builtInRules.map(({ description }) => description)).size).toBe(builtInRules.length)
  })

  test.each(refused)('%s matches %p', async (rule, text) => {
    expect(await rulesOf(text)).toContain(rule)
    expect(await rulesOf(`It was said that ${text} And that was all.`)).toContain(rule)
  })

  test.each(passed)('do not match %p', async (text) => {
    expect(await rulesOf(text)).toEqual([])
  })

  test('match nothing in the demo library', async () => {
    for (const draft of [...readDemo('story'), ...readDemo('flow')])
      expect([draft.title, (await judge(guidelines, draft)).length]).toEqual([draft.title, 0])
  })
})
