import { expect, test } from 'bun:test'
import { isSceneBreak, splitParagraphs } from '#src/ui/story-text'

test('blank lines divide paragraphs, single line breaks inside stay', () => {
  expect(splitParagraphs('One\ntwo.\r\n \r\n\r\nThree.')).toEqual(['One\ntwo.', 'Three.'])
})

test('a text without blank lines is divided by its lines', () => {
  expect(splitParagraphs('One.\nTwo.\n')).toEqual(['One.', 'Two.'])
})

test('lines of stars or dashes are breaks, words are not', () => {
  for (const line of ['***', '* * *', '···', '---', '#']) expect(isSceneBreak(line)).toBe(true)
  for (const line of ['“No.”', '- he said', '* a note']) expect(isSceneBreak(line)).toBe(false)
})
