import { latinLookAlikes } from './confusables'

/**
 * A text in the form in which it is compared with rules: NFKD, without marks, lower case, look-alikes as the Latin
 * letter they pass for. What is not seen is nothing; a sign that passes for a letter is that letter as a capital; what
 * stands between words is one sign of ASCII. `offsets` leads from places in the folded text to those in the original,
 * `starts` has the places where words begin.
 */
export type FoldedText = { original: string; folded: string; offsets: number[]; starts: number[] }

/** Letters and digits of a folded text, for regular expressions: other alphabets are all letters there. */
export const letters = 'a-z\\d\\x80-\\uffff'

/** Characters that are folded between two pauses: a few milliseconds. */
const partCharacters = 16 * 1024

export async function foldText(original: string, pause: () => Promise<void>): Promise<FoldedText> {
  const text: FoldedText = { original, folded: '', offsets: [], starts: [] }
  for (let from = 0; from < original.length; from = foldPart(text, from, from + partCharacters)) await pause()
  return text
}

/** The words of a rule's phrase, folded. */
export function foldWords(phrase: string): string[] {
  const folded = Array.from(phrase, (character) => foldCharacter(character.codePointAt(0) ?? 0)).join('')
  return folded.match(new RegExp(`[${letters}]+`, 'g')) ?? []
}

/** Folds on from an offset up to another; answers where it ended, which is never within a character. */
function foldPart(text: FoldedText, from: number, to: number): number {
  const { original, offsets, starts } = text
  let folded = ''
  let isInWord = isLetter(text.folded.charCodeAt(text.folded.length - 1))
  let at = from
  while (at < to && at < original.length) {
    const code = original.codePointAt(at) ?? 0
    const character = foldCharacter(code)
    for (let each = 0; each < character.length; each += 1) {
      const place = offsets.push(at) - 1
      const wasInWord = isInWord
      isInWord = isLetter(character.charCodeAt(each))
      if (isInWord && !wasInWord) starts.push(place)
    }
    folded += character
    at += code > 0xffff ? 2 : 1
  }
  text.folded += folded
  return at
}

function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code >= 128
}

function foldCharacter(codePoint: number): string {
  const known = folds.get(codePoint)
  if (known !== undefined) return known
  // Texts have some hundred different characters; a hostile one may have all there are.
  if (folds.size > foldsMax) folds.clear()
  const folded = fold(String.fromCodePoint(codePoint))
  folds.set(codePoint, folded)
  return folded
}

const folds = new Map<number, string>()
const foldsMax = 50_000

function fold(character: string): string {
  const sign = signs[character]
  if (sign) return sign
  const visible = withLatin(character).normalize('NFKD').replace(invisible, '')
  if (visible === '') return ''
  const form = withLatin(withLatin(visible).toLowerCase()).replace(/[^\p{L}\p{N}]/gu, '')
  if (form !== '') return unspaced.test(form) ? `,${form},` : form
  if (/\s/.test(character)) return ' '
  return character < '\x80' ? character : ','
}

function withLatin(form: string): string {
  return form.replace(/./gsu, (letter) => latinLookAlikes.get(letter) ?? letter)
}

/** Signs that pass for a letter, and those that pass for a sign of ASCII between letters. */
const signs: Record<string, string> = {
  ...{ '@': 'A', $: 'S', '!': 'I', '|': 'I', '+': 'T', '€': 'E', '£': 'I' },
  ...{ '•': '*', '·': '*', '×': '#', '‐': '-', '‑': '-' },
}

const invisible = /[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu

/** Scripts that are written without spaces: each character is a word of its own, and a rule a phrase of them. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
