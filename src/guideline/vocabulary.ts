/** A folded word of the rules. `joined` is a whole phrase without its spaces. */
export type Word = { letters: string; kind: 'whole' | 'stem' | 'joined' }

/** Words by their skeletons. Every prefix of a skeleton has an entry too, so that a search ends early. */
export type Vocabulary = Map<string, readonly Word[]>

/** Adds a word, or returns the equal one that is already there. */
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

/**
 * Finds the words that may be written like this, where a star is any one letter. Null if no word begins like this
 * either.
 */
export function findWords(vocabulary: Vocabulary, written: string): readonly Word[] | null {
  const skeleton = skeletonOf(written)
  const words = withSkeleton(vocabulary, skeleton)
  if (words.length === 0 && !vocabulary.has(skeleton)) return null
  const star = written.indexOf('*')
  return words.filter((word) => isSpelling(written.replace('*', word.letters.charAt(star)), word))
}

/** The words with a skeleton, and the stems that are prefixes of it. */
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

/** A form that all spellings of a word share, and few other words have. */
function skeletonOf(written: string): string {
  return withoutRepeats(withoutDigits(written))
}

/**
 * Replaces digits and signs by the letters they pass for (`v4l1um`; a sign is a capital). As 1, ! and | pass for both i
 * and l, these two letters are treated as one.
 */
function withoutDigits(written: string): string {
  return written.replace(/[0-9A-Zl]/g, (each) =>
    each === 'l' ? 'i' : ('oizeasgtbg'[Number(each)] ?? each.toLowerCase()),
  )
}

/** Shortens each run of the same letter to one: `vaaalium` and `valium` become `valium`. */
function withoutRepeats(written: string): string {
  return written.replace(/(.)\1+/gsu, '$1')
}

/** Words with fewer letters are never read without repeated letters, since too many other words would become them. */
const repeatedLettersMin = 4

/**
 * Whether a text with a word's skeleton is that word: as it is, with digits and signs as letters if they occur among
 * letters (`v4lium`, but neither `1984` nor `valium`), or without repeated letters.
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
 * Whether letters are repeated as in no ordinary word: three in a row, a letter that English does not double, or every
 * letter twice. `dinner` is not, so it is never read as `diner`.
 */
function isDrawnOut(written: string): boolean {
  return /(.)\1\1|([ahijkqvwxyu])\2/su.test(written) || /^(?:(.)\1+){2,}$/su.test(written)
}
