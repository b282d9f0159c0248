/** The text for a voice, and for each of its characters (code points) the position in the author's text. */
export type SpokenText = { text: string; places: number[] }

/**
 * Converts a stretch of the author's text for a voice: on one line, without Markdown's signs, and without characters
 * that eSpeak would parse as markup. `at` is the position where it begins in the author's text.
 */
export function spokenText(source: string, at: number): SpokenText {
  const characters: string[] = []
  const places: number[] = []
  const skip = /^\s*(?:#{1,6}\s+)?/.exec(source)?.[0].length ?? 0
  let index = skip
  for (const character of source.slice(skip)) {
    const spoken = /[*_`]/.test(character) ? '' : /[\s<>[\]]/.test(character) ? ' ' : character
    if (spoken === ' ' ? characters.at(-1) !== ' ' : spoken !== '') {
      // "&" begins an entity in eSpeak's markup, so it is replaced by a word.
      for (const each of spoken === '&' ? 'and' : spoken) {
        characters.push(each)
        places.push(at + index)
      }
    }
    index += character.length
  }
  while (characters.at(-1) === ' ') {
    characters.pop()
    places.pop()
  }
  return { text: characters.join(''), places }
}
