import { normalizeText } from '#src/text/normalize'
import { latinLookAlikes } from './confusables'

/**
 * A text in the form that is compared with rules: NFKD, without marks, in lower case, look-alikes replaced by Latin
 * letters. Invisible characters are dropped. A sign that passes for a letter becomes that letter as a capital.
 * Characters between words become one ASCII sign each. `offsets` maps positions in the folded text to the original;
 * `starts` has the positions where words begin.
 */
export type FoldedText = { original: string; folded: string; offsets: number[]; starts: number[] }

/**
 * Letters and digits of a folded text, for regular expressions. All characters of other alphabets are letters there.
 */
export const letters = 'a-z\\d\\x80-\\uffff'

/** Characters or words processed between two pauses, which takes a few milliseconds. */
const partSize = 16 * 1024

export async function foldText(original: string, pause: () => Promise<void>): Promise<FoldedText> {
  const offsets: number[] = []
  const starts: number[] = []
  let folded = ''
  let at = 0
  for (let to = partSize; at < original.length; to += partSize) {
    await pause()
    while (at < Math.min(to, original.length)) {
      const code = original.codePointAt(at) ?? 0
      const character = foldCharacter(code)
      for (let each = 0; each < character.length; each += 1) offsets.push(at)
      folded += character
      at += code > 0xffff ? 2 : 1
    }
  }
  for (const { index } of folded.matchAll(words)) if (starts.push(index) % partSize === 0) await pause()
  return { original, folded, offsets, starts }
}

/** The words of a rule's phrase, folded. */
export function foldWords(phrase: string): string[] {
  const folded = Array.from(phrase, (character) => foldCharacter(character.codePointAt(0) ?? 0)).join('')
  return folded.match(words) ?? []
}

const words = new RegExp(`[${letters}]+`, 'g')

function foldCharacter(code: number): string {
  const known = folds.get(code)
  if (known !== undefined) return known
  // Texts have some hundred different characters, but a hostile one may have all that exist.
  if (folds.size > foldsMax) folds.clear()
  return folds.getOrInsertComputed(code, fold)
}

const folds = new Map<number, string>()
const foldsMax = 50_000

function fold(code: number): string {
  const character = String.fromCodePoint(code)
  const sign = signs[character]
  if (sign) return sign
  const visible = normalizeText(withLatin(character), 'NFKD').replace(invisible, '')
  if (visible === '') return ''
  const form = withLatin(withLatin(visible).toLowerCase()).replace(/[^\p{L}\p{N}]/gu, '')
  if (form !== '') return unspaced.test(form) ? `,${form},` : form
  if (/\s/.test(character)) return ' '
  return character < '\x80' ? character : ','
}

function withLatin(form: string): string {
  return form.replace(/./gsu, (letter) => latinLookAlikes.get(letter) ?? letter)
}

/** Signs that pass for a letter, and signs that pass for an ASCII sign between letters. */
const signs: Record<string, string> = {
  ...{ '@': 'A', $: 'S', '!': 'I', '|': 'I', '+': 'T', '€': 'E', '£': 'I' },
  ...{ '•': '*', '·': '*', '×': '#', '‐': '-', '‑': '-' },
}

const invisible = /[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu

/**
 * Scripts that are written without spaces. Each of their characters is a word, and a rule in such a script is a phrase.
 */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
