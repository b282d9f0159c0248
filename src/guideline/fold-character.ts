import { latinLookAlikes } from './confusables'

/**
 * How one character counts: as letters or digits, as a sign that passes for a letter, as nothing, or as what stands
 * between words.
 */
export type Folded = { kind: 'letters' | 'ideograph' | 'sign' | 'nothing' | 'separator'; letters: string }

/** Signs that pass for a letter. */
export const signLetters: Record<string, string> = {
  '@': 'a',
  $: 's',
  '!': 'i',
  '|': 'i',
  '+': 't',
  '€': 'e',
  '£': 'i',
}

/**
 * One character, by its code point, in the form in which texts and rules are compared: NFKD, without marks and
 * format characters, lower case, look-alikes as the Latin letter they pass for. Full-width and styled letters
 * come out of NFKD plain.
 */
export function foldCharacter(codePoint: number): Folded {
  const known = codePoint < 128 ? ascii[codePoint] : folds.get(codePoint)
  if (known) return known
  const folded = fold(String.fromCodePoint(codePoint))
  folds.set(codePoint, folded)
  // Texts have some hundred different characters; a hostile one may have all there are.
  if (folds.size > foldsMax) folds.clear()
  return folded
}

const folds = new Map<number, Folded>()
const foldsMax = 50_000

function fold(character: string): Folded {
  if (character in signLetters) return { kind: 'sign', letters: character }
  const decomposed = (latinLookAlikes.get(character) ?? character).normalize('NFKD')
  const visible = decomposed.replace(/[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu, '')
  if (visible === '') return { kind: 'nothing', letters: '' }
  const letters = [...visible].map(foldLetter).join('')
  if (letters === '') return { kind: 'separator', letters }
  return { kind: unspaced.test(letters) ? 'ideograph' : 'letters', letters }
}

function foldLetter(letter: string): string {
  const lower = (latinLookAlikes.get(letter) ?? letter).toLowerCase()
  return [...lower]
    .filter((each) => /[\p{L}\p{N}]/u.test(each))
    .map((each) => latinLookAlikes.get(each) ?? each)
    .join('')
}

/** Scripts that are written without spaces: each character is a word of its own, and a rule a phrase of them. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

const ascii = Array.from({ length: 128 }, (_, code) => fold(String.fromCharCode(code)))
