/** A word that rules are made of, folded. `joined` is a whole phrase without its spaces. */
export type Word = { letters: string; kind: 'whole' | 'stem' | 'joined' }

/** Words by their skeletons. Each beginning of a skeleton is there too, so that a search ends early. */
export type Vocabulary = Map<string, readonly Word[]>

/** Adds a word once, and answers the one that is there. */
export function addWord(vocabulary: Vocabulary, word: Word): Word {
  const skeleton = skeletonOf(word.letters)
  for (let length = 1; length <= skeleton.length; length += 1)
    vocabulary.getOrInsert(skeleton.slice(0, length), none)
  const words = vocabulary.get(skeleton) ?? none
  const known = words.find(({ letters, kind }) => letters === word.letters && kind === word.kind)
  if (!known) vocabulary.set(skeleton, [...words, word])
  return known ?? word
}

const none: readonly Word[] = []

/** The words that are written so, where a star is any one letter; null where none begins so either. */
export function findWords(vocabulary: Vocabulary, written: string): readonly Word[] | null {
  const skeleton = skeletonOf(written)
  const words = withSkeleton(vocabulary, skeleton)
  if (words.length === 0 && !vocabulary.has(skeleton)) return null
  const star = written.indexOf('*')
  return words.filter((word) => isSpelling(written.replace('*', word.letters.charAt(star)), word))
}

/** The words with a skeleton, and the stems that it begins with. */
function withSkeleton(vocabulary: Vocabulary, skeleton: string): readonly Word[] {
  const found: Word[] = []
  for (let length = 1; length <= skeleton.length; length += 1) {
    const beginning = skeleton.slice(0, length)
    if (beginning.endsWith('*'))
      return [...'abcdefghijkmnopqrstuvwxyz'].flatMap((letter) =>
        withSkeleton(vocabulary, skeletonOf(skeleton.replace('*', letter))),
      )
    const words = vocabulary.get(beginning)
    if (!words) break
    for (const word of words) if (word.kind === 'stem' || length === skeleton.length) found.push(word)
  }
  return found
}

/** What all spellings of a word have in common, and few other words. */
function skeletonOf(written: string): string {
  return withoutRepeats(withoutDigits(written))
}

/**
 * Digits and signs as the letters they pass for (`v4l1um`; a sign is a capital). As 1, ! and | pass for an i and for an
 * l, the two count as one here.
 */
function withoutDigits(written: string): string {
  return written.replace(/[0-9A-Zl]/g, (each) =>
    each === 'l' ? 'i' : ('oizeasgtbg'[Number(each)] ?? each.toLowerCase()),
  )
}

/** Each run of one letter as one letter: `vaaalium` and `valium` are `valium`. */
function withoutRepeats(written: string): string {
  return written.replace(/(.)\1+/gsu, '$1')
}

/** Words of fewer letters are never read without repeats: too many others would become them. */
const repeatedLettersMin = 4

/**
 * Whether what has a word's skeleton is that word: as it stands, with digits and signs as letters where they stand
 * among letters (`v4lium`, but neither `1984` nor `valium`), and without repeated letters.
 */
function isSpelling(written: string, { letters, kind }: Word): boolean {
  const isWord = !/^\d+$/.test(letters)
  const isDigits = isWord && (kind === 'joined' || (/[0-9A-Z]/.test(written) && /[^0-9A-Z]/.test(written)))
  const isRepeats =
    isWord && kind !== 'joined' && isDrawnOut(written) && [...letters].length >= repeatedLettersMin
  const read = (form: string) => {
    const plain = isDigits ? withoutDigits(form) : form
    return isRepeats ? withoutRepeats(plain) : plain
  }
  return kind === 'stem' ? read(written).startsWith(read(letters)) : read(written) === read(letters)
}

/**
 * Whether letters are repeated as no ordinary word repeats them: three in a row, a letter that English does not double,
 * or every letter twice. `dinner` is not, so that it is never read as `diner`.
 */
function isDrawnOut(written: string): boolean {
  return /(.)\1\1|([ahijkqvwxyu])\2/su.test(written) || /^(?:(.)\1+){2,}$/su.test(written)
}
