import { expect, test } from 'bun:test'
import { isSceneBreak, listParagraphs } from '#src/ui/story-text'

const words = (text: string) => listParagraphs(text).map((paragraph) => paragraph.text)

test('blank lines separate paragraphs, and single line breaks stay inside them', () => {
  expect(words('One\ntwo.\r\n \r\n\r\nThree.')).toEqual(['One\ntwo.', 'Three.'])
})

test('every line is a paragraph when there are no blank lines', () => {
  expect(words('One.\nTwo.\n')).toEqual(['One.', 'Two.'])
})

test('lines of asterisks, dots, dashes or # are scene breaks, and lines with words are not', () => {
  for (const line of ['***', '* * *', '···', '---', '#']) expect(isSceneBreak(line)).toBe(true)
  for (const line of ['“No.”', '- he said', '* a note']) expect(isSceneBreak(line)).toBe(false)
})

test('every paragraph’s offset points to its text', () => {
  for (const text of ['  One.\n\n\n  Two\nlines. \n \n\tThree.', 'One.\n Two.\n\n', '\n\nOnly.'])
    for (const { text: paragraph, at } of listParagraphs(text))
      expect(text.slice(at, at + paragraph.length)).toBe(paragraph)
})
