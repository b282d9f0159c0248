import { signLetters } from './fold-character'

const digitLetters: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '2': 'z',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '6': 'g',
  '7': 't',
  '8': 'b',
  '9': 'g',
}

/**
 * A word with digits and signs read as letters (`v4l1um`). As 1, ! and | pass for an i and for an l, the two
 * count as one here: rules are folded in the same way before they are compared.
 */
export function withoutDigits(form: string): string {
  let letters = ''
  for (const each of form) letters += digitLetters[each] ?? signLetters[each] ?? (each === 'l' ? 'i' : each)
  return letters
}

/** Whether digits or signs stand among letters: `v4lium`, but neither `1984` nor `valium`. */
export function hasDigitLetters(form: string): boolean {
  return /[0-9@$!|+€£]/.test(form) && /[^0-9@$!|+€£]/.test(form)
}

/** A word with each run of one letter as one letter: `vaaalium` and `valium` are `valium`. */
export function withoutRepeats(form: string): string {
  return form.replace(/(.)\1+/gsu, '$1')
}

/**
 * Whether letters are repeated as no ordinary word repeats them: three in a row, a letter that English does
 * not double, or every letter twice. `dinner` is not, so that it is never read as `diner`.
 */
export function isDrawnOut(form: string): boolean {
  return /(.)\1\1|([ahijkqvwxyu])\2/su.test(form) || /^(?:(.)\1+){2,}$/su.test(form)
}

/** Words of fewer letters are never read without repeats: too many others would become them. */
export const repeatedLettersMin = 4
