/** A word that rules are made of, folded. `joined` is a whole phrase without its spaces. */
export type Word = { id: number; letters: string; kind: 'whole' | 'stem' | 'joined' }

/** What 0 to 9 pass for. */
const digitLetters = 'oizeasgtbg'

/**
 * A word with digits and signs read as letters (`v4l1um`; a sign is a capital). As 1, ! and | pass for an i and for
 * an l, the two count as one here.
 */
export function withoutDigits(form: string): string {
  return form.replace(/[0-9A-Zl]/g, (each) =>
    each === 'l' ? 'i' : (digitLetters[Number(each)] ?? each.toLowerCase()),
  )
}

/** A word with each run of one letter as one letter: `vaaalium` and `valium` are `valium`. */
function withoutRepeats(form: string): string {
  return form.replace(/(.)\1+/gsu, '$1')
}

/** What all spellings of a word have in common, and few other words. */
export function skeletonOf(form: string): string {
  return withoutRepeats(withoutDigits(form))
}

/** Words of fewer letters are never read without repeats: too many others would become them. */
const repeatedLettersMin = 4

/**
 * Whether letters that have a word's skeleton are that word: as it stands, with digits and signs as letters, without
 * repeated letters.
 */
export function isSpelling(form: string, { letters, kind }: Word): boolean {
  const isEqual = (a: string, b: string) => (kind === 'stem' ? a.startsWith(b) : a === b)
  if (isEqual(form, letters)) return true
  // Most letters have no other spelling. A number is a number.
  if ((kind !== 'joined' && !/[^a-z]|(.)\1/s.test(form)) || /^\d+$/.test(letters)) return false
  const isDigits = hasDigitLetters(form) || kind === 'joined'
  const isRepeats = kind !== 'joined' && isDrawnOut(form) && [...letters].length >= repeatedLettersMin
  return (
    (isDigits && isEqual(withoutDigits(form), withoutDigits(letters))) ||
    (isRepeats && isEqual(withoutRepeats(form), withoutRepeats(letters))) ||
    (isDigits && isRepeats && isEqual(skeletonOf(form), skeletonOf(letters)))
  )
}

/** Whether digits or signs stand among letters: `v4lium`, but neither `1984` nor `valium`. */
function hasDigitLetters(form: string): boolean {
  return /[0-9A-Z]/.test(form) && /[^0-9A-Z]/.test(form)
}

/**
 * Whether letters are repeated as no ordinary word repeats them: three in a row, a letter that English does
 * not double, or every letter twice. `dinner` is not, so that it is never read as `diner`.
 */
function isDrawnOut(form: string): boolean {
  return /(.)\1\1|([ahijkqvwxyu])\2/su.test(form) || /^(?:(.)\1+){2,}$/su.test(form)
}
