import { skeletonOf, type Word, withoutDigits } from './spellings'

/**
 * The words that the rules are made of, as a trie of the letters of their skeletons. One map has all its edges, since
 * a map for each node takes ten times the memory.
 */
export type Vocabulary = ReturnType<typeof createVocabulary>

/** A place in the trie, or -1 where no word goes on, the letter that led there, and the stems on the way. */
export type Path = { node: number; letter: number; stems: readonly Word[] }

export function createVocabulary() {
  const edges = new Map<number, number>()
  const words = new Map<number, Word[]>()
  const stems = new Map<number, Word[]>()
  const ids = new Map<string, number>()
  return {
    /** Adds a word once; answers its number. */
    add(letters: string, kind: Word['kind']): number {
      const name = `${kind} ${letters}`
      const id = ids.get(name) ?? ids.size
      if (id < ids.size) return id
      ids.set(name, id)
      let node = 0
      for (const letter of charCodes(skeletonOf(letters))) {
        const edge = edgeOf(node, letter)
        node = edges.get(edge) ?? edges.size + 1
        edges.set(edge, node)
      }
      const ending = kind === 'stem' ? stems : words
      ending.set(node, [...(ending.get(node) ?? []), { id, letters, kind }])
      return id
    },
    /** Goes on by letters; those that repeat the one before lead nowhere else. Answers whether any word is left. */
    follow(path: Path, folded: string, from = 0, to = folded.length): boolean {
      for (let at = from; at < to && path.node >= 0; at += 1) {
        const code = folded.charCodeAt(at)
        const letter = skeletons[code] ?? code
        if (letter === path.letter) continue
        path.letter = letter
        path.node = edges.get(edgeOf(path.node, letter)) ?? -1
        const ending = stems.get(path.node)
        if (ending) path.stems = [...path.stems, ...ending]
      }
      return path.node >= 0 || path.stems.length > 0
    },
    /** The words that may end here. */
    endingAt({ node, stems: begun }: Path): readonly Word[] {
      const whole = words.get(node) ?? none
      return begun.length > 0 ? [...whole, ...begun] : whole
    },
  }
}

const none: readonly Word[] = []

function edgeOf(node: number, letter: number): number {
  return node * 0x1_0000 + letter
}

function charCodes(form: string): number[] {
  return Array.from({ length: form.length }, (_, at) => form.charCodeAt(at))
}

/** What each character of ASCII is in a skeleton. */
const skeletons = charCodes(withoutDigits(String.fromCharCode(...Array(128).keys())))
