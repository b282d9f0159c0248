/** What a voice is given of a text, and for each of its characters (code points) the place it came from. */
export type SpokenText = { text: string; places: number[] }

/**
 * A stretch of the author's text as it is spoken: on one line, without the signs that Markdown writes for
 * the eye, and without what eSpeak would take for markup. `at` is where it begins in the author's text.
 */
export function spokenText(source: string, at: number): SpokenText {
  const characters: string[] = []
  const places: number[] = []
  const skip = /^\s*(?:#{1,6}\s+)?/.exec(source)?.[0].length ?? 0
  let index = skip
  for (const character of source.slice(skip)) {
    const spoken = /[*_`]/.test(character) ? '' : /[\s<>[\]]/.test(character) ? ' ' : character
    if (spoken === ' ' ? characters.at(-1) !== ' ' : spoken !== '') {
      // "&" begins a sign of its own in eSpeak's markup, and is a word in everybody's mouth.
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
