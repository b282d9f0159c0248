import { latinLookAlikes } from './confusables'

/**
 * One character, by its code point, in the form in which texts and rules are compared: NFKD, without marks, lower
 * case, look-alikes as the Latin letter they pass for. What is not seen is nothing; a sign that passes for a letter
 * is that letter as a capital; what stands between words is one sign of ASCII.
 */
export function foldCharacter(codePoint: number): string {
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
  const decomposed = (latinLookAlikes.get(character) ?? character).normalize('NFKD')
  const visible = decomposed.replace(/[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu, '')
  if (visible === '') return ''
  const letters = [...visible].map(foldLetter).join('')
  if (letters !== '') return unspaced.test(letters) ? `,${letters},` : letters
  if (/\s/.test(character)) return ' '
  return character < '\x80' ? character : ','
}

function foldLetter(letter: string): string {
  const lower = (latinLookAlikes.get(letter) ?? letter).toLowerCase()
  return [...lower]
    .filter((each) => /[\p{L}\p{N}]/u.test(each))
    .map((each) => latinLookAlikes.get(each) ?? each)
    .join('')
}

/** Signs that pass for a letter, and those that pass for a sign of ASCII between letters. */
const signs: Record<string, string> = {
  ...{ '@': 'A', $: 'S', '!': 'I', '|': 'I', '+': 'T', '€': 'E', '£': 'I' },
  ...{ '•': '*', '·': '*', '×': '#', '‐': '-', '‑': '-' },
}

/** Scripts that are written without spaces: each character is a word of its own, and a rule a phrase of them. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
