import { expect, test } from 'bun:test'
import { isSceneBreak, listParagraphs } from '#src/ui/story-text'

const words = (text: string) => listParagraphs(text).map((paragraph) => paragraph.text)

test('blank lines divide paragraphs, single line breaks inside stay', () => {
  expect(words('One\ntwo.\r\n \r\n\r\nThree.')).toEqual(['One\ntwo.', 'Three.'])
})

test('a text without blank lines is divided by its lines', () => {
  expect(words('One.\nTwo.\n')).toEqual(['One.', 'Two.'])
})

test('lines of stars or dashes are breaks, words are not', () => {
  for (const line of ['***', '* * *', '···', '---', '#']) expect(isSceneBreak(line)).toBe(true)
  for (const line of ['“No.”', '- he said', '* a note']) expect(isSceneBreak(line)).toBe(false)
})

test('every paragraph is found again where it is said to begin', () => {
  for (const text of ['  One.\n\n\n  Two\nlines. \n \n\tThree.', 'One.\n Two.\n\n', '\n\nOnly.'])
    for (const { text: paragraph, at } of listParagraphs(text))
      expect(text.slice(at, at + paragraph.length)).toBe(paragraph)
})
